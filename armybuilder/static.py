"""Static files on your own machine."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class OnceCollectedStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # WhiteNoise has no types
    """Static files under the hashed names that `collectstatic` gave them; under their own until it has run."""

    def stored_name(self, name: str) -> str:
        stored: str = super().stored_name(name) if self.hashed_files else name
        return stored
