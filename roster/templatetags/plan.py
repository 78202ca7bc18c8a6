from django import template

from catalogue.definitions.citations import Citation
from roster import wording
from roster.services.plan_shapes import PlanChoice, PlanUnit
from roster.services.rulesets import Publications

register = template.Library()


@register.filter("place_label")
def format_place(place: Citation, books: Publications) -> str:
    return wording.format_citation(place, books) if place.section or place.page else ""


@register.filter("plan_item_name")
def name_plan_item(thing: PlanChoice | PlanUnit) -> str:
    return wording.mark_gone(thing.name) if thing.lost else thing.name
