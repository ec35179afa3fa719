"""Browser contexts that are used again: a phone of a kind that was there before finds the client's files in the browser's cache, as
at a second visit, and nothing else of what was done before. Loading them again takes a quarter of the processor time that a phone needs."""

# More than these that nobody uses are closed.
MOST_IDLE = 6


class Contexts:
    """The contexts of one browser, by what they were made with."""

    def __init__(self, browser):
        self.browser = browser
        self._idle = []

    @staticmethod
    def _kind(options):
        return repr(sorted(options.items()))

    def take(self, permissions=(), **options):
        """A context without pages, cookies or anything kept, with these permissions."""
        kind = self._kind(options)
        for entry in reversed(self._idle):
            if entry[0] == kind:
                self._idle.remove(entry)
                entry[1].grant_permissions(list(permissions))
                return entry[1]
        return self.browser.new_context(permissions=list(permissions), **options)

    def give_back(self, context, session, page, **options):
        """Clears a context, by the session of the last page that is left, and keeps it for the next phone of its kind."""
        for other in context.pages:
            if other is not page:
                other.close()
        # A page that is still there could write while it goes.
        page.goto("about:blank")
        session.send("Storage.clearDataForOrigin", {"origin": "*", "storageTypes": "all"})
        context.clear_cookies()
        context.clear_permissions()
        page.close()
        self._idle.append((self._kind(options), context))
        while len(self._idle) > MOST_IDLE:
            self._idle.pop(0)[1].close()
