"""Tell the builder of wheels what the project needs: the packages of .ci/requirements.in."""

from pathlib import Path

from hatchling.metadata.plugin.interface import MetadataHookInterface


class RequirementsHook(MetadataHookInterface):
    def update(self, metadata: dict) -> None:
        lines = Path(self.root, ".ci", "requirements.in").read_text(encoding="utf-8").splitlines()
        metadata["dependencies"] = [line for line in map(str.strip, lines) if line and not line.startswith("#")]
