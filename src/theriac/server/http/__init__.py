"""HTTP: the routes, the bodies they take and return, the files of the page."""
