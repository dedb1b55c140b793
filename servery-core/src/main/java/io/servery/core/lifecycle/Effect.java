package io.servery.core.lifecycle;

import io.servery.core.control.Order;
import io.servery.core.control.Shard;
import io.servery.core.fault.ExitCode;
import java.util.List;

/// Something to do: imperatives for whoever steps the machine, in this order. There is none for time: after each step
/// [Fleet#deadline] says when the next one is due at the latest.
public sealed interface Effect {

    /// Start a process with the configuration of this revision in mind (flags, heap); failing is [Event.SpawnFailed].
    record Spawn(WorkerId worker, int revision) implements Effect {
    }

    /// Hand over every shard of the plan and the configuration of its revision.
    record HandOver(WorkerId worker, Plan plan) implements Effect {
    }

    /// Send an order. To a channel that is closed nothing is sent: its event is on the way.
    record Send(WorkerId worker, Order order) implements Effect {
    }

    /// Send the hot values of this revision.
    record Push(WorkerId worker, int revision) implements Effect {
    }

    /// Signal the whole process group of a worker. Without one nothing is signalled: its exit is on the way.
    record Signal(WorkerId worker, Severity severity) implements Effect {
    }

    /// TERM or KILL.
    enum Severity {
        TERM,
        KILL
    }

    /// Read and validate the configuration and bind what it adds; the answer is an event with this number.
    record Load(int reload) implements Effect {
    }

    /// Bind what this configuration, which was good, needs; the answer is an event with this number.
    record Restore(int reload, Plan plan) implements Effect {
    }

    /// Close these shards, whose addresses take no more connections.
    record Close(List<Shard> shards) implements Effect {
        public Close {
            shards = List.copyOf(shards);
        }
    }

    /// Whoever asked in this event is answered by the [Conclude] of this number. A recovery, for which nobody asked, has one
    /// too.
    record Schedule(int reload) implements Effect {
    }

    /// Tell whoever waits for this reload what became of it. Each number that was scheduled is concluded exactly once.
    record Conclude(int reload, Verdict verdict) implements Effect {
    }

    /// Say that this is what the service is now: readiness, sd_notify, `runtime.state_changed`.
    record Publish(Condition condition) implements Effect {
    }

    /// Let the operator know: an event, and a metric where there is one.
    record Note(Fact fact) implements Effect {
    }

    /// Nothing is left: close everything and exit.
    record Finish(ExitCode code) implements Effect {
    }
}
