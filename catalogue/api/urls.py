from django.urls import path

from catalogue.api.bulk import VersionChangesView, VersionsView, VersionView
from catalogue.api.gallery import GalleryView, InstallView, JobView, KeepView
from catalogue.api.problems import ProblemsView
from catalogue.api.views import Cards, DeckRules, Factions, Games, OneGame, Unit, Units
from catalogue.services.public_answers import identify_data, identify_nothing, keep_public

app_name = "catalogue-api"
_keep = keep_public(identify_data, "Accept")
urlpatterns = [
    path("problems/", keep_public(identify_nothing, "Accept")(ProblemsView.as_view()), name="problems"),
    path("gallery/", GalleryView.as_view(), name="gallery"),
    path("gallery/<int:key>/install/", InstallView.as_view(), name="install"),
    path("gallery/<int:key>/keep/", KeepView.as_view(), name="keep"),
    path("jobs/<str:public_id>/", JobView.as_view(), name="job"),
    path("games/", _keep(Games.as_view()), name="games"),
    path("games/<slug:game>/", _keep(OneGame.as_view()), name="game"),
    path("games/<slug:game>/versions/", VersionsView.as_view(), name="versions"),
    path("games/<slug:game>/versions/<slug:content_hash>/", VersionView.as_view(), name="version"),
    path("games/<slug:game>/versions/<slug:content_hash>/changes/", VersionChangesView.as_view(), name="changes"),
    path("games/<slug:game>/factions/", _keep(Factions.as_view()), name="factions"),
    path("games/<slug:game>/factions/<slug:faction>/cards/", _keep(Cards.as_view()), name="cards"),
    path("games/<slug:game>/factions/<slug:faction>/deck-rules/", _keep(DeckRules.as_view()), name="deck-rules"),
    path("games/<slug:game>/factions/<slug:faction>/units/", _keep(Units.as_view()), name="units"),
    path("games/<slug:game>/factions/<slug:faction>/units/<slug:unit>/", _keep(Unit.as_view()), name="unit"),
]
