"""With which sentence each other method of Mastodon.py is refused here, or that it finds nothing (test_mastodon_py_all.py)."""

import datetime

import mastodon

# Methods that find nothing, because the server has no such things: their arguments, or a function that makes them.
EMPTY = {
    "announcements": (),
    "custom_emojis": (),
    "domain_blocks": (),
    "instance_domain_blocks": (),
    "instance_peers": (),
    "instance_rules": (),
    "scheduled_statuses": (),
    "status_reblogged_by": lambda s: (s.theirs(),),
    "trending_links": (),
    "trending_statuses": (),
}


def absent(words):
    return 404, f"This server doesn’t have {words}."


ADMINISTRATION = absent("administration by apps")
ANNOUNCEMENTS = absent("announcements")
COLLECTIONS = absent("collections of people")
POLLS = absent("polls")
QUOTES = absent("quotes")
REPORTS = absent("yearly reports")
SCHEDULED = absent("scheduled posts")
TRANSLATIONS = absent("translations")
BOOSTS = 422, "Posts can’t be boosted here, because their author chose who sees them."

YEAR = 2026
DAYS = datetime.datetime(YEAR, 1, 1), datetime.datetime(YEAR, 1, 2)

# Methods that are refused: their arguments, or a function that makes them, with the status and the sentence.
REFUSED = {
    **{
        name: (arguments, *ADMINISTRATION)
        for name, arguments in {
            "admin_accounts": (), "admin_accounts_v1": (), "admin_accounts_v2": (),
            "admin_account": (1,), "admin_account_enable": (1,), "admin_account_approve": (1,),
            "admin_account_reject": (1,), "admin_account_unsilence": (1,), "admin_account_unsuspend": (1,),
            "admin_account_delete": (1,), "admin_account_unsensitive": (1,),
            "admin_account_moderate": (1, "suspend"),
            "admin_reports": (), "admin_report": (1,), "admin_report_assign": (1,), "admin_report_unassign": (1,),
            "admin_report_reopen": (1,), "admin_report_resolve": (1,),
            "admin_trending_tags": (), "admin_trending_statuses": (), "admin_trending_links": (),
            "admin_approve_trending_link": (1,), "admin_reject_trending_link": (1,),
            "admin_approve_trending_status": (1,), "admin_reject_trending_status": (1,),
            "admin_approve_trending_tag": (1,), "admin_reject_trending_tag": (1,),
            "admin_domain_blocks": (), "admin_create_domain_block": ("example.org",),
            "admin_update_domain_block": (1,), "admin_delete_domain_block": (1,),
            "admin_domain_allows": (), "admin_domain_allow": (1,), "admin_create_domain_allow": ("example.org",),
            "admin_delete_domain_allow": (1,),
            "admin_email_domain_blocks": (), "admin_email_domain_block": (1,),
            "admin_create_email_domain_block": ("example.org",), "admin_delete_email_domain_block": (1,),
            "admin_canonical_email_blocks": (), "admin_canonical_email_block": (1,),
            "admin_test_canonical_email_block": ("ana@example.org",),
            "admin_create_canonical_email_block": ("ana@example.org",), "admin_delete_canonical_email_block": (1,),
            "admin_ip_blocks": (), "admin_ip_block": (1,), "admin_create_ip_block": ("192.0.2.1", "no_access"),
            "admin_update_ip_block": (1, "192.0.2.1"), "admin_delete_ip_block": (1,),
            "admin_measures": (*DAYS, True), "admin_dimensions": (*DAYS, None, True), "admin_retention": DAYS,
        }.items()
    },
    "announcement_dismiss": ((1,), *ANNOUNCEMENTS),
    "announcement_reaction_create": ((1, "👍"), *ANNOUNCEMENTS),
    "announcement_reaction_delete": ((1, "👍"), *ANNOUNCEMENTS),
    "annual_reports": ((), *REPORTS),
    "annual_report": ((YEAR,), *REPORTS),
    "annual_report_state": ((YEAR,), *REPORTS),
    "annual_report_read": ((YEAR,), *REPORTS),
    "annual_report_generate": ((YEAR,), *REPORTS),
    "collection": ((1,), *COLLECTIONS),
    "collection_create": (("Ours",), *COLLECTIONS),
    "collection_update": ((1, "Ours"), *COLLECTIONS),
    "collection_delete": ((1,), *COLLECTIONS),
    "collection_item_add": ((1, 1), *COLLECTIONS),
    "collection_item_delete": ((1, 1), *COLLECTIONS),
    "collection_item_revoke": ((1, 1), *COLLECTIONS),
    "account_collections": (lambda s: (s.ben.id,), *COLLECTIONS),
    "account_in_collections": (lambda s: (s.ben.id,), *COLLECTIONS),
    "domain_block": (
        ("example.org",), 422,
        "This server exchanges nothing with other servers, so there is nothing to block.",
    ),
    "instance_extended_description": ((), *absent("a longer description")),
    "instance_translation_languages": ((), *TRANSLATIONS),
    "email_resend_confirmation": ((), *absent("confirmation by email")),
    "get_async_refresh_status": ((1,), *absent("searches that go on")),
    "instance_activity": ((), *absent("figures of its activity")),
    "instance_languages": ((), *absent("a list of languages")),
    "instance_terms_of_service": ((), *absent("terms of service")),
    "poll": ((1,), *POLLS),
    "poll_vote": ((1, [0]), *POLLS),
    "profile": ((), *absent("this call")),
    "profile_update": (("Ana",), *absent("this call")),
    "scheduled_status": ((1,), *SCHEDULED),
    "scheduled_status_update": ((1, DAYS[0]), *SCHEDULED),
    "scheduled_status_delete": ((1,), *SCHEDULED),
    "search_v1": (("ben",), *absent("this call")),
    "status_quotes": (lambda s: (s.theirs(),), *QUOTES),
    "status_quote_revoke": (lambda s: (s.theirs(), 1), *QUOTES),
    "status_update_quote_approval_policy": (lambda s: (s.post().id, "nobody"), *absent("rules for quotes")),
    "status_reblog": (lambda s: (s.theirs(),), *BOOSTS),
    "status_unreblog": (lambda s: (s.theirs(),), *BOOSTS),
    "status_translate": (lambda s: (s.theirs(),), *TRANSLATIONS),
    "timeline_link": (("https://example.org",), *absent("timelines of links")),
}

# What the library refuses by itself: for the version, for an address without https, and without further packages.
BY_ITSELF = {
    "reports": ((), mastodon.MastodonVersionError),
    "oauth_userinfo": ((), mastodon.MastodonIllegalArgumentError),
    "decode_blurhash": (lambda s: (s.post().media_attachments[0],), NotImplementedError),
    "get_status_length": (("Hello",), NotImplementedError),
}
