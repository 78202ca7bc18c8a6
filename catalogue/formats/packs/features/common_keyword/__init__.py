"""Common keyword: units share a faction keyword that is not too broad."""
