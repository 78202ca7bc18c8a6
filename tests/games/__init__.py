"""Every game of a folder of community data: imported, and a list built in it through the verbs that pages call."""
