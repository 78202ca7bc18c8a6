"""The languages to choose from."""

from django import template

from catalogue.services.languages import list_languages

register = template.Library()
register.simple_tag(list_languages)
