package io.servery.http.semantics;

/// The status codes and their reason phrases (RFC 9110 §15).
public final class Status {
    public static final int CONTINUE = 100;
    public static final int OK = 200;
    public static final int NO_CONTENT = 204;
    public static final int PARTIAL_CONTENT = 206;
    public static final int MOVED_PERMANENTLY = 301;
    public static final int FOUND = 302;
    public static final int NOT_MODIFIED = 304;
    public static final int TEMPORARY_REDIRECT = 307;
    public static final int PERMANENT_REDIRECT = 308;
    public static final int BAD_REQUEST = 400;
    public static final int FORBIDDEN = 403;
    public static final int NOT_FOUND = 404;
    public static final int METHOD_NOT_ALLOWED = 405;
    public static final int REQUEST_TIMEOUT = 408;
    public static final int PRECONDITION_FAILED = 412;
    public static final int CONTENT_TOO_LARGE = 413;
    public static final int URI_TOO_LONG = 414;
    public static final int UNSUPPORTED_MEDIA_TYPE = 415;
    public static final int RANGE_NOT_SATISFIABLE = 416;
    public static final int EXPECTATION_FAILED = 417;
    public static final int TOO_MANY_REQUESTS = 429;
    public static final int FIELDS_TOO_LARGE = 431;
    public static final int INTERNAL_SERVER_ERROR = 500;
    public static final int NOT_IMPLEMENTED = 501;
    public static final int SERVICE_UNAVAILABLE = 503;
    public static final int VERSION_NOT_SUPPORTED = 505;

    private Status() {
    }

    /// Whether a response with this status never has content (RFC 9110 §6.4.1): informational, 204 and 304.
    public static boolean withoutContent(int status) {
        return status < OK || status == NO_CONTENT || status == NOT_MODIFIED;
    }

    /// The reason phrase of RFC 9110 or the RFC that registered the code; empty for a code not known here.
    public static String phrase(int status) {
        return switch (status) {
            case CONTINUE -> "Continue";
            case OK -> "OK";
            case 201 -> "Created";
            case 202 -> "Accepted";
            case NO_CONTENT -> "No Content";
            case PARTIAL_CONTENT -> "Partial Content";
            case MOVED_PERMANENTLY -> "Moved Permanently";
            case FOUND -> "Found";
            case 303 -> "See Other";
            case NOT_MODIFIED -> "Not Modified";
            case TEMPORARY_REDIRECT -> "Temporary Redirect";
            case PERMANENT_REDIRECT -> "Permanent Redirect";
            case BAD_REQUEST -> "Bad Request";
            case 401 -> "Unauthorized";
            case FORBIDDEN -> "Forbidden";
            case NOT_FOUND -> "Not Found";
            case METHOD_NOT_ALLOWED -> "Method Not Allowed";
            case 406 -> "Not Acceptable";
            case REQUEST_TIMEOUT -> "Request Timeout";
            case 409 -> "Conflict";
            case 411 -> "Length Required";
            case PRECONDITION_FAILED -> "Precondition Failed";
            case CONTENT_TOO_LARGE -> "Content Too Large";
            case URI_TOO_LONG -> "URI Too Long";
            case UNSUPPORTED_MEDIA_TYPE -> "Unsupported Media Type";
            case RANGE_NOT_SATISFIABLE -> "Range Not Satisfiable";
            case EXPECTATION_FAILED -> "Expectation Failed";
            case 421 -> "Misdirected Request";
            case 426 -> "Upgrade Required";
            case TOO_MANY_REQUESTS -> "Too Many Requests";
            case FIELDS_TOO_LARGE -> "Request Header Fields Too Large";
            case INTERNAL_SERVER_ERROR -> "Internal Server Error";
            case NOT_IMPLEMENTED -> "Not Implemented";
            case 502 -> "Bad Gateway";
            case SERVICE_UNAVAILABLE -> "Service Unavailable";
            case 504 -> "Gateway Timeout";
            case VERSION_NOT_SUPPORTED -> "HTTP Version Not Supported";
            default -> "";
        };
    }
}
