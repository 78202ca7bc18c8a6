from collections.abc import Iterable

from django import forms

from roster.club.campaign_table import MOST_AMOUNT
from roster.club.services.force_games import VeteranResult
from roster.views.forms import ChangeForm, NumberField, TypedField, TypedForm, ValuesField, make_choices
from roster.views.requests import parse_whole_number

LONGEST_NAME = 200


class StartForceForm(TypedForm):
    """`faction` is `<slug of the game>:<id of the faction>`."""

    faction = TypedField(LONGEST_NAME * 2)
    name = TypedField(LONGEST_NAME)
    campaign = TypedField(LONGEST_NAME)


class ForceForm(ChangeForm):
    """One step in a force's ledger. `kind` is the row's, `step` the step to undo."""

    do = forms.ChoiceField(choices=make_choices("write", "undo", "rename"))
    unit = NumberField(required=False)
    kind = TypedField(LONGEST_NAME)
    name = TypedField(LONGEST_NAME)
    other = TypedField(LONGEST_NAME)
    amount = forms.IntegerField(min_value=-MOST_AMOUNT, max_value=MOST_AMOUNT, required=False)
    cost = forms.IntegerField(min_value=-MOST_AMOUNT, max_value=MOST_AMOUNT, required=False)
    text = TypedField()
    step = NumberField(required=False)


class ForceUnitsForm(ChangeForm):
    """Units chosen from a list, by the ids of their selections."""

    list = TypedField(LONGEST_NAME)
    unit = ValuesField()


class MusterForm(ChangeForm):
    """A force's units to make a list of, by their keys."""

    unit = ValuesField()
    name = TypedField(LONGEST_NAME)
    limit = TypedField(LONGEST_NAME)
    season = TypedField(LONGEST_NAME)

    def list_units(self) -> list[int]:
        return [parse_whole_number(text) or 0 for text in self.cleaned_data["unit"]]


class CampaignForm(TypedForm):
    text = TypedField()


class GameResultsForm(ChangeForm):
    """A game's results. A unit's fields end in its key: `kills-7`, `lost-7`, `award-7`, `honour-7`, `injury-7`."""

    game = TypedField(LONGEST_NAME)
    unit = ValuesField()

    def read_results(self, keys: Iterable[str]) -> list[VeteranResult]:
        """Return the entered results of units; an unreadable number is -1, which is refused."""
        results = []
        for key in keys:
            kills = self._read(f"kills-{key}")
            number = parse_whole_number(kills) if kills else 0
            results.append(
                VeteranResult(
                    veteran_id=parse_whole_number(key) or 0,
                    destroyed=bool(self._read(f"lost-{key}")),
                    kills=-1 if number is None else number,
                    awards=tuple(self.data.getlist(f"award-{key}")),  # type: ignore[attr-defined]  # a QueryDict
                    honour=self._read(f"honour-{key}"),
                    injury=self._read(f"injury-{key}"),
                    text=self._read(f"text-{key}"),
                )
            )
        return results

    def _read(self, name: str) -> str:
        return str(self.data.get(name, "")).strip()
