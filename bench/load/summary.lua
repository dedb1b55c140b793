-- What wrk has counted, exactly, as one line of JSON: its own text rounds bytes to two decimals.
function done(summary, latency, requests)
  local e = summary.errors
  io.write(string.format(
    '\nsummary {"requests":%d,"bytes":%d,"microseconds":%d,"connect":%d,"read":%d,"write":%d,"timeout":%d,"status":%d,"p50":%d,"p99":%d}\n',
    summary.requests, summary.bytes, summary.duration, e.connect, e.read, e.write, e.timeout, e.status,
    latency:percentile(50), latency:percentile(99)))
end
