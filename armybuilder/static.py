from whitenoise.storage import CompressedManifestStaticFilesStorage


class OnceCollectedStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # WhiteNoise has no types
    """Serve static files under their own names until `collectstatic` has run."""

    def stored_name(self, name: str) -> str:
        stored: str = super().stored_name(name) if self.hashed_files else name
        return stored
