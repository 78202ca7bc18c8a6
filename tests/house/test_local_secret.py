from armybuilder.settings import base, local
from armybuilder.settings.environment import own_secret


def test_secret_is_made_once_and_read_by_its_owner_alone(tmp_path):
    path = tmp_path / "var" / "secret.key"
    first = own_secret(path)
    assert len(first) >= 50
    assert own_secret(path) == first
    assert path.stat().st_mode & 0o777 == 0o600


def test_settings_of_this_machine_leave_those_they_build_on_as_they_are():
    assert local.STORAGES["staticfiles"]["BACKEND"] == "armybuilder.static.OnceCollectedStorage"
    assert base.STORAGES["staticfiles"]["BACKEND"] == "django.contrib.staticfiles.storage.StaticFilesStorage"
