# /etc/varnish/default.vcl: Varnish between nginx and the web node, for EDGE_PURGE_URLS=http://127.0.0.1:6083/
#
#   varnishd -f /etc/varnish/default.vcl -a edge=127.0.0.1:6081 -a purge=127.0.0.1:6083 -s malloc,256m
#
# Needs Debian's packages varnish and varnish-modules. Only nginx may reach the first address, because the header that
# it sets is believed, and only web nodes and workers the second one.
vcl 4.1;

import cookie;
import std;
import xkey;

backend armybuilder {
    .host = "127.0.0.1";
    .port = "8000";
    .first_byte_timeout = 120s;
}

sub vcl_recv {
    if (local.socket == "purge") {
        if (req.method != "POST" || !req.http.Surrogate-Key) {
            return (synth(400));
        }
        xkey.purge(req.http.Surrogate-Key);
        return (synth(200));
    }
    # Varnish has appended nginx's own address.
    set req.http.X-Forwarded-For = regsub(req.http.X-Forwarded-For, ",[^,]*$", "");
    if (req.method != "GET" && req.method != "HEAD") {
        return (pass);
    }
    cookie.parse(req.http.Cookie);
    if (cookie.isset("sessionid") || cookie.isset("messages") || req.http.Authorization || req.http.HX-Request) {
        return (pass);
    }
    return (hash);
}

# The built-in code adds address and host.
sub vcl_hash {
    hash_data(req.http.X-Forwarded-Proto + "|" + cookie.get("language") + "|" + cookie.get("theme") + "|"
        + cookie.get("density"));
}

sub vcl_backend_response {
    if (beresp.http.Surrogate-Control) {
        set beresp.ttl = std.duration(regsub(beresp.http.Surrogate-Control, "^max-age=(\d+)$", "\1s"), 0s);
        set beresp.http.xkey = beresp.http.Surrogate-Key;
    } else {
        # Nothing else is kept. For two minutes, readers of this address do not wait for one another.
        set beresp.ttl = 120s;
        set beresp.uncacheable = true;
    }
    # Never show a page beyond its time, but confirm it by its tag then.
    set beresp.grace = 0s;
    set beresp.keep = 1h;
    return (deliver);
}

sub vcl_deliver {
    unset resp.http.Surrogate-Control;
    unset resp.http.Surrogate-Key;
    unset resp.http.xkey;
    unset resp.http.Via;
    unset resp.http.X-Varnish;
    # Browsers confirm each page.
    unset resp.http.Age;
}
