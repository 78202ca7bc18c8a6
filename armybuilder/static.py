"""Static files on one's own machine."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class OnceCollectedStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # WhiteNoise has no types
    """Files by the names with a hash that `collectstatic` gave them; before it ever ran, by their own."""

    def stored_name(self, name: str) -> str:
        stored: str = super().stored_name(name) if self.hashed_files else name
        return stored
