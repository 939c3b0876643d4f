-- Posts a photo, over and over (wrk): every request makes a new post, durably.
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.body = '{"status": "One more, with a few words about the light.", "media_ids": ["1"]}'
