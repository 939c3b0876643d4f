/// Every route of the server has a row here that says what someone finds behind it who is blocked. A new route
/// without a row fails.
enum BlockedRoutes {
    /// Routes with something of the other in their path: 404.
    static let hidden = """
        GET /@{username}                                        username
        GET /@{username}/followers                              username
        GET /@{username}/following                              username
        GET /@{username}/options                                username
        POST /@{username}/note                                  username
        GET /@{username}/lists                                  username
        GET /accounts/{id}/report                               account
        POST /accounts/{id}/report                              account
        POST /accounts/{id}/block                               account
        POST /accounts/{id}/mute                                account
        POST /accounts/{id}/feature                             account
        POST /accounts/{id}/unfeature                           account
        POST /accounts/{id}/unmute                              account
        POST /accounts/{id}/follow                              account
        POST /accounts/{id}/remove                              account
        POST /accounts/{id}/unfollow                            account
        POST /requests/{id}/accept                              asker
        POST /requests/{id}/reject                              asker
        GET /api/v1/accounts/{id}                               account
        GET /api/v1/accounts/{id}/statuses                      account
        GET /api/v1/accounts/{id}/featured_tags                 account
        GET /api/v1/accounts/{id}/followers                     account
        GET /api/v1/accounts/{id}/following                     account
        GET /api/v1/accounts/{id}/endorsements                  account
        POST /api/v1/accounts/{id}/endorse                      account
        POST /api/v1/accounts/{id}/unendorse                    account
        POST /api/v1/accounts/{id}/pin                          account
        POST /api/v1/accounts/{id}/unpin                        account
        POST /api/v1/accounts/{id}/follow                       account
        POST /api/v1/accounts/{id}/unfollow                     account
        POST /api/v1/accounts/{id}/block                        account
        POST /api/v1/accounts/{id}/mute                         account
        POST /api/v1/accounts/{id}/unmute                       account
        POST /api/v1/accounts/{id}/note                         account
        GET /api/v1/accounts/{id}/lists                         account
        DELETE /api/v1/suggestions/{id}                         account
        GET /api/v1.1/accounts/mutuals/{id}                     account
        GET /api/v1.1/accounts/username/{username}              username
        POST /api/v1/accounts/{id}/remove_from_followers        account
        POST /api/v1/follow_requests/{id}/authorize             asker
        POST /api/v1/follow_requests/{id}/reject                asker
        GET /posts/{id}                                         post
        GET /posts/{id}/card                                    post
        GET /posts/{id}/photos/{number}                         post
        GET /posts/{id}/comments                                post
        POST /posts/{id}/comments                               post
        GET /posts/{id}/likes                                   post
        GET /posts/{id}/options                                 post
        GET /posts/{id}/report                                  post
        POST /posts/{id}/report                                 post
        GET /posts/{id}/share                                   post
        POST /posts/{id}/send                                   post
        POST /posts/{id}/like                                   post
        POST /posts/{id}/unlike                                 post
        POST /posts/{id}/save                                   post
        POST /posts/{id}/unsave                                 post
        POST /posts/{id}/pin                                    post
        POST /posts/{id}/unpin                                  post
        POST /posts/{id}/hide                                   post
        GET /posts/{id}/filter                                  post
        POST /posts/{id}/filter                                 post
        GET /api/v1/statuses/{id}                               post
        GET /api/v1/statuses/{id}/context                       post
        GET /api/v1/statuses/{id}/favourited_by                 post
        GET /api/v1/statuses/{id}/reblogged_by                  post
        GET /api/v1/statuses/{id}/source                        post
        GET /api/v1/statuses/{id}/history                       post
        POST /api/v1/statuses/{id}/pin                          post
        POST /api/v1/statuses/{id}/unpin                        post
        POST /api/v1/statuses/{id}/mute                         post
        POST /api/v1/statuses/{id}/unmute                       post
        POST /api/v1/statuses/{id}/favourite                    post
        POST /api/v1/statuses/{id}/unfavourite                  post
        POST /api/v1/statuses/{id}/bookmark                     post
        POST /api/v1/statuses/{id}/unbookmark                   post
        GET /initials/{id}.svg                                  account
        GET /portraits/{id}                                     portrait
        GET /portraits/{id}/small                               portrait
        GET /banners/{id}                                       banner
        GET /photos/{id}/{size}                                 photo
        GET /snaps/{id}/report                                  snap
        POST /snaps/{id}/report                                 snap
        POST /snaps/{id}/open                                   snap
        POST /api/v1/snaps/{id}/open                            snap
        POST /api/v1/snaps/{id}/shown                           snap
        POST /api/v1/snaps/{id}/close                           snap
        GET /api/v1/snap_views/{view}                           snapView
        GET /api/v1/once_views/{view}                           onceView
        GET /messages/{id}                                      message
        POST /messages/{id}                                     message
        GET /messages/{id}/library                              message
        GET /messages/{id}/mute                                 message
        POST /messages/{id}/mute                                message
        POST /messages/{id}/unmute                              message
        GET /messages/{id}/search                               message
        GET /messages/{id}/{message}/options                    message
        GET /messages/{id}/{message}/report                     message
        POST /messages/{id}/{message}/open                      message
        POST /messages/{id}/{message}/react                     message
        POST /messages/{id}/{message}/report                    message
        POST /messages/{id}/{message}/save                      message
        GET /messages/{id}/photos/{message}                     message
        POST /messages/requests/{id}/accept                     message
        POST /messages/requests/{id}/delete                     message
        GET /api/v1/chats/{id}                                  message
        DELETE /api/v1/chats/{id}                               message
        POST /api/v1/chats/{id}/accept                          message
        POST /api/v1/chats/{id}/delivered                       message
        POST /api/v1/chats/{id}/mute                            message
        DELETE /api/v1/chats/{id}/mute                          message
        POST /api/v1/chats/{id}/read                            message
        POST /api/v1/chats/{id}/typing                          message
        GET /api/v1/chats/{id}/messages                         message
        POST /api/v1/chats/{id}/messages                        message
        GET /api/v1/chats/{id}/messages/{message}               message
        POST /api/v1/chats/{id}/messages/{message}/save         message
        POST /api/v1/chats/{id}/messages/{message}/open         message
        PUT /api/v1/chats/{id}/messages/{message}/reaction      message
        DELETE /api/v1/chats/{id}/messages/{message}/reaction   message
        POST /api/v1/chats/{id}/messages/{message}/shown        message
        POST /api/v1/chats/{id}/messages/{message}/close        message
        POST /api/v1/conversations/{id}/read                    message
        DELETE /api/v1/conversations/{id}                       message
        GET /notifications/requests/{id}                        putAside
        POST /notifications/requests/{id}/accept                putAside
        POST /notifications/requests/{id}/dismiss               putAside
        GET /api/v1/notifications/requests/{id}                 putAside
        POST /api/v1/notifications/requests/{id}/accept         putAside
        POST /api/v1/notifications/requests/{id}/dismiss        putAside
        GET /api/v1/notifications/{id}                          notification
        POST /api/v1/notifications/{id}/dismiss                 notification
        GET /api/v2/notifications/{group_key}                   notificationGroup
        GET /api/v2/notifications/{group_key}/accounts          notificationGroup
        POST /api/v2/notifications/{group_key}/dismiss          notificationGroup
        GET /collage/{id}                                       collage
        GET /collage/{id}/card                                  collage
        GET /collage/{id}/together                              collage
        GET /collage/{id}/cells/{index}                         collage
        GET /collage/{id}/cells/{index}/report                  collage
        POST /collage/{id}/cells/{index}                        collage
        POST /collage/{id}/cells/{index}/report                 collage
        POST /collage/{id}/style                                collage
        POST /collage/{id}/finish                               collage
        POST /collage/{id}/invite                               collage
        POST /collage/{id}/assign                               collage
        POST /collage/{id}/leave                                collage
        GET /collage/with/{id}                                  message
        POST /collage/with/{id}                                 message
        GET /api/v1/collage_drafts/{id}                         collage
        PATCH /api/v1/collage_drafts/{id}                       collage
        PUT /api/v1/collage_drafts/{id}/cells/{index}           collage
        DELETE /api/v1/collage_drafts/{id}/cells/{index}        collage
        POST /api/v1/collage_drafts/{id}/swap                   collage
        POST /api/v1/collage_drafts/{id}/finish                 collage
        DELETE /api/v1/collage_drafts/{id}                      collage
        GET /contracts/with/{id}                                message
        GET /contracts/card/{id}                                account
        GET /contracts/new/{id}                                 account
        POST /contracts/new/{id}                                account
        GET /contracts/{id}/stakes/{account}                    stake
        """

    /// Those behind which only the owner finds anything, blocked or not.
    static let owned = """
        GET /lists/{id}                                         list
        GET /lists/{id}/edit                                    list
        POST /lists/{id}/edit                                   list
        POST /lists/{id}/add/{account}                          list
        POST /lists/{id}/remove/{account}                       list
        POST /lists/{id}/delete                                 list
        GET /api/v1/lists/{id}                                  list
        PUT /api/v1/lists/{id}                                  list
        GET /api/v1/lists/{id}/accounts                         list
        POST /api/v1/lists/{id}/accounts                        list
        DELETE /api/v1/lists/{id}/accounts                      list
        DELETE /api/v1/lists/{id}                               list
        GET /api/v1/timelines/list/{id}                         list
        GET /settings/filters/{id}                              filter
        POST /settings/filters/{id}                             filter
        POST /settings/filters/{id}/unfilter                    filter
        POST /settings/filters/{id}/delete                      filter
        GET /api/v2/filters/{id}                                filter
        PUT /api/v2/filters/{id}                                filter
        DELETE /api/v2/filters/{id}                             filter
        GET /api/v2/filters/{id}/keywords                       filter
        POST /api/v2/filters/{id}/keywords                      filter
        GET /api/v2/filters/{id}/statuses                       filter
        POST /api/v2/filters/{id}/statuses                      filter
        GET /api/v2/filters/keywords/{id}                       filterWord
        PUT /api/v2/filters/keywords/{id}                       filterWord
        DELETE /api/v2/filters/keywords/{id}                    filterWord
        GET /api/v2/filters/statuses/{id}                       filterPost
        DELETE /api/v2/filters/statuses/{id}                    filterPost
        GET /api/v1/filters/{id}                                filterWord
        PUT /api/v1/filters/{id}                                filterWord
        DELETE /api/v1/filters/{id}                             filterWord
        GET /posts/{id}/edit                                    post
        POST /posts/{id}/edit                                   post
        POST /posts/{id}/delete                                 post
        POST /posts/{id}/findable                               post
        POST /posts/{id}/guest-link                             post
        POST /posts/{id}/guest-link/revoke                      post
        PUT /api/v1/statuses/{id}                               post
        DELETE /api/v1/statuses/{id}                            post
        POST /api/v1/statuses/{id}/guest_link                   post
        DELETE /api/v1/statuses/{id}/guest_link                 post
        GET /library/{id}                                       photo
        GET /library/{id}/share                                 photo
        GET /library/{id}/send                                  photo
        POST /library/{id}/send                                 photo
        POST /library/{id}/delete                               photo
        GET /api/v1/media/{id}                                  photo
        PUT /api/v1/media/{id}                                  photo
        GET /api/v1/photos/{id}                                 photo
        GET /api/v1/photos/{id}/original                        photo
        GET /api/v1/photos/{id}/full                            photo
        DELETE /api/v1/photos/{id}                              photo
        GET /past-photos/{id}/{size}                            pastPhoto
        GET /snaps/new/{picture}                                photo
        GET /library/{id}/guest-link                            photo
        POST /library/{id}/guest-link                           photo
        POST /library/{id}/guest-link/revoke                    photo
        POST /api/v1/photos/{id}/guest_link                     photo
        DELETE /api/v1/photos/{id}/guest_link                   photo
        GET /collage/edit/{id}                                  collagePhoto
        POST /api/v1/collages/{id}/copy                         collagePhoto
        GET /api/v1/collages/{id}                               collagePhoto
        PUT /api/v1/collages/{id}                               collagePhoto
        GET /pairs/{id}/then                            pair
        GET /pairs/{id}/now                             pair
        GET /pairs/{id}/points                          pair
        POST /pairs/{id}/presentation                   pair
        POST /pairs/{id}/align                          pair
        POST /pairs/{id}/align/undo                     pair
        GET /then-and-now/years/{id}                            pair
        GET /api/v1/rephotographs/{id}                          pair
        PATCH /api/v1/rephotographs/{id}                        pair
        POST /api/v1/rephotographs/{id}/align                   pair
        DELETE /api/v1/rephotographs/{id}/align                 pair
        GET /api/v1/rephotographs/{id}/rendition                pair
        GET /snaps/{id}                                         snap
        POST /snaps/{id}/delete                                 snap
        DELETE /api/v1/snaps/{id}                               snap
        GET /api/v1/snaps/{id}/viewers                          snap
        POST /messages/{id}/{message}/delete                    message
        DELETE /api/v1/chats/{id}/messages/{message}            message
        DELETE /api/v1/statuses/{id}                            messageStatus
        """

    /// Lists and pages of the caller's own things: they answer without anything of the other; some never have any.
    static let silent = """
        GET /home
        GET /lists                                                     never
        GET /saved
        GET /users
        GET /users?q=ana
        GET /users?q=all
        GET /search/posts?q=all
        GET /friends
        GET /notifications
        GET /notifications/requests
        GET /requests
        GET /messages
        GET /messages/new
        GET /messages/requests
        GET /messages/search?q=hello
        GET /api/v1/messages/search?q=hello
        GET /feed
        GET /snaps
        GET /snaps/newest
        GET /snaps/receivers
        GET /settings/blocked                                          never
        GET /settings/muted                                            never
        GET /settings/filters                                          never
        GET /api/v1/timelines/home
        GET /api/v1/timelines/public
        GET /api/v1/lists                                              never
        GET /api/v1/filters                                            never
        GET /api/v2/filters                                            never
        GET /api/v1/timelines/tag/{hashtag}
        GET /tags/{name}
        GET /api/v1/timelines/between
        GET /api/v1/bookmarks
        GET /api/v1/favourites
        GET /api/v1/blocks                                             never
        GET /api/v1/endorsements                                       never
        GET /api/v1/mutes                                              never
        GET /api/v1/suggestions                                        never
        GET /api/v1/directory
        GET /api/v1/accounts?id[]={ana}
        GET /api/v1/statuses?id[]={hers}
        GET /api/v2/suggestions                                        never
        GET /api/v1/follow_requests
        GET /api/v1/notifications
        GET /api/v2/notifications
        GET /api/v1/notifications/requests
        GET /api/v1/accounts/search?q=ana
        GET /api/v2/search?q=ana
        GET /api/v2/search?q=all
        GET /api/v1/accounts/relationships?id[]={ana}
        GET /api/v1/accounts/familiar_followers?id[]={ana}             never
        GET /api/v1/chats
        GET /api/v1/conversations
        GET /api/v1.1/direct/compose/mutuals
        POST /api/v1.1/direct/lookup?q=ana
        GET /api/v1/trends/tags                                        never
        GET /api/v1.1/discover/posts/hashtags                          never
        GET /api/v1.1/discover/posts/trending
        GET /api/v1.1/discover/posts/network/trending
        GET /api/v1.1/discover/accounts/popular                        never
        GET /api/v1/snaps
        GET /api/v1/snap_feeds                                         never
        GET /api/v1.1/stories/carousel
        GET /api/v1.2/stories/carousel
        GET /collage
        GET /contracts/new
        GET /api/v1/collage_drafts
        GET /api/v1/past_photos?latitude=48.8584&longitude=2.2945&source=server
        GET /api/v1/past_photos/last
        """

    /// Lists under something of the caller's or of a third person's, in which the other would be.
    static let among = """
        GET /posts/{post}/likes
        GET /posts/{post}/comments
        GET /api/v1/statuses/{post}/favourited_by
        GET /api/v1/statuses/{post}/context
        GET /snaps/{snap}
        GET /api/v1/snaps/{snap}/viewers
        GET /@olga/followers
        GET /@olga/following
        GET /api/v1/accounts/{olga}/followers
        GET /api/v1/accounts/{olga}/following
        """

    /// Calls that take something of the other as a parameter.
    static let refused = """
        GET /api/v1/accounts/lookup                             acct=ana
        POST /api/v1/notifications/requests/accept              id[]={putAside}
        POST /api/v1/notifications/requests/dismiss             id[]={alsoPutAside}
        POST /api/v1/chats                                      account_id={account}
        GET /api/v1.1/direct/thread                             pid={account}
        POST /api/v1.1/direct/thread/send                       to_id={account}&message=x
        POST /api/v1.1/direct/thread/read                       pid={account}
        POST /api/v1.1/direct/thread/mute                       id={account}
        POST /api/v1.1/direct/thread/unmute                     id={account}
        POST /api/v1/statuses                                   status=x&in_reply_to_id={message}
        POST /api/v1/statuses                                   status=@ana+x&visibility=direct
        POST /api/v1/reports                                    account_id={account}
        POST /api/v1.1/report                                   object_type=user&object_id={account}&report_type=x
        POST /api/v1.1/report                                   object_type=post&object_id={post}&report_type=x
        POST /api/v1/reports                                    status_ids[]={post}
        POST /api/v1/reports                                    status_ids[]={message}
        POST /api/v1/reports                                    snap_id={snap}
        POST /api/v1/reports                                    message_id={message}&chat_id={chat}
        POST /api/v1/statuses                                   status=x&in_reply_to_id={post}
        GET /settings/filters/new                               post={post}
        POST /api/v1/collage_drafts                             account_ids[]={account}
        POST /api/v1/collage_drafts                             chat_id={chat}
        POST /api/v1/snaps/send                                 sample_id=memes-1&chat_ids[]={chat}
        """

    /// Calls that accept only photos and messages of the caller's own.
    static let ownPhotos = """
        DELETE /api/v1.1/direct/thread/message                  id={message}
        POST /api/v1/statuses                                   status=x&media_ids[]={photo}
        POST /posts                                             caption=x&photo={photo}
        POST /snaps                                             feed_id=memes&photo_id={photo}
        POST /api/v1/snaps                                      feed_id=memes&photo_id={photo}
        POST /collage                                           photo={photo}
        POST /api/v1/collage_drafts                             photo_ids[]={photo}
        POST /api/v1/collages                                   cells[0][photo_id]={photo}
        POST /api/v1/rephotographs                              photo_id={photo}
        POST /then-and-now                                      photo={photo}
        POST /api/v1/contracts                                  stake_photo_id={photo}
        """

    /// What is in a group, which both may be in: each sees the other's messages folded (GroupPrivacyTests).
    static let groups = """
        GET /messages/{id}/name
        GET /messages/{id}/group
        POST /messages/{id}/group
        POST /messages/{id}/group/picture
        GET /messages/{id}/group/add
        POST /messages/{id}/group/add
        POST /messages/{id}/group/leave
        POST /messages/{id}/group/remove/{account}
        GET /messages/new/group
        POST /messages/new/group
        PATCH /api/v1/chats/{id}
        POST /api/v1/chats/{id}/members
        DELETE /api/v1/chats/{id}/members/{account}
        """

    /// What both keep of what they agreed on, which names neither to the other (ContractSafetyTests).
    static let shared = """
        GET /contracts
        GET /contracts?list=ended
        GET /contracts/{id}
        GET /contracts/{id}/claim
        POST /contracts/{id}/claim
        GET /contracts/{id}/dispute
        POST /contracts/{id}/dispute
        GET /contracts/{id}/forfeit
        POST /contracts/{id}/forfeit
        GET /contracts/{id}/accept
        POST /contracts/{id}/accept
        POST /contracts/{id}/witness
        POST /contracts/{id}/decline
        POST /contracts/{id}/withdraw
        POST /contracts/{id}/release
        POST /contracts/{id}/admit
        POST /contracts/{id}/judge
        POST /contracts/{id}/stake
        GET /contracts/{id}/report
        POST /contracts/{id}/report
        GET /api/v1/contracts
        GET /api/v1/contracts/{id}
        POST /api/v1/contracts/{id}/accept
        POST /api/v1/contracts/{id}/witness
        POST /api/v1/contracts/{id}/decline
        POST /api/v1/contracts/{id}/withdraw
        POST /api/v1/contracts/{id}/release
        POST /api/v1/contracts/{id}/admit
        POST /api/v1/contracts/{id}/claim
        POST /api/v1/contracts/{id}/dispute
        POST /api/v1/contracts/{id}/judge
        POST /api/v1/contracts/{id}/forfeit
        POST /api/v1/contracts/{id}/stake
        """

    /// For administrators, who block nobody out; nothing is there for anyone else.
    static let administration = """
        GET /administration                                     none
        GET /administration/accounts                            none
        GET /administration/record                              none
        GET /administration/administrators                      none
        POST /administration/administrators                     none
        POST /administration/administrators/{username}/remove   username
        GET /administration/sign-up                             none
        POST /administration/sign-up                            none
        POST /administration/accounts/{id}/suspend              account
        POST /administration/accounts/{id}/restore              account
        POST /administration/reports/{id}/dismiss               report
        POST /administration/reports/{id}/remove                report
        POST /administration/reports/{id}/suspend               report
        """

    /// What is about oneself or about nobody: a block changes nothing.
    static let sameForAll = """
        GET /
        POST /lists
        POST /api/v1/lists
        GET /settings/filters/new
        POST /settings/filters/new
        POST /api/v1/filters
        POST /api/v2/filters
        GET /login
        POST /login
        GET /login/new-password
        POST /login/new-password
        GET /signup
        POST /signup
        POST /logout
        GET /create
        GET /sw.js
        GET /offline
        GET /library
        POST /library
        GET /posts/new
        GET /snaps/camera
        GET /snaps/new
        GET /then-and-now
        GET /then-and-now/choose
        POST /then-and-now/choose
        GET /then-and-now/nearby
        POST /then-and-now/nearby
        GET /collage/library
        GET /collage/choose
        GET /api/v1/collage_layouts
        GET /settings
        GET /settings/connected
        POST /settings/connected
        POST /settings/connected/disconnect
        GET /settings/connected/callback/{id}
        POST /settings/connected/posts/{id}/settle
        GET /settings/data
        POST /settings/data
        GET /settings/data/{id}
        GET /settings/delete
        POST /settings/delete
        GET /settings/devices
        POST /settings/devices/{id}/end
        POST /settings/devices/end
        GET /settings/apps
        POST /settings/apps/{id}/revoke
        GET /oauth/authorize
        POST /oauth/authorize
        POST /oauth/token
        POST /oauth/revoke
        GET /oauth/userinfo
        POST /oauth/userinfo
        GET /.well-known/oauth-authorization-server
        POST /api/v1/apps
        POST /api/v1/accounts
        GET /api/v1/apps/verify_credentials
        GET /settings/invitations
        POST /settings/invitations
        POST /settings/invitations/{id}/revoke
        GET /settings/notifications
        POST /settings/notifications
        GET /settings/notifications/devices
        POST /settings/notifications/devices/{id}/remove
        POST /settings/notifications/test
        GET /settings/password
        POST /settings/password
        GET /settings/posts
        POST /settings/posts
        GET /settings/privacy
        POST /settings/privacy
        GET /settings/profile
        POST /settings/profile
        GET /who-can-see-what
        GET /snap_samples/{id}
        GET /static/{version}/**
        GET /health
        GET /healthz
        GET /readyz
        GET /metrics
        GET /manifest.webmanifest
        GET /install
        GET /share
        POST /share
        GET /api/openapi.json
        GET /api/nodeinfo/2.0.json
        GET /api/v2/config
        GET /.well-known/nodeinfo
        GET /api/v1/domain_blocks
        POST /api/v1/domain_blocks
        DELETE /api/v1/domain_blocks
        GET /api/v1/instance/domain_blocks
        GET /api/v1.1/compose/settings
        GET /api/v2/notifications/unread_count
        GET /api/v2/notifications/policy
        PATCH /api/v2/notifications/policy
        GET /api/v1/notifications/requests/merged
        GET /api/v1/push/subscription
        POST /api/v1/push/subscription
        PUT /api/v1/push/subscription
        DELETE /api/v1/push/subscription
        POST /api/v1/push/test
        GET /api/v1/instance
        GET /api/v1/instance/privacy_policy
        GET /api/v2/instance
        GET /api/v1/preferences
        GET /api/v1/streaming/health
        GET /api/v1/accounts/verify_credentials
        PATCH /api/v1/accounts/update_credentials
        POST /api/v1/accounts/update_credentials
        DELETE /api/v1/profile/avatar
        DELETE /api/v1/profile/header
        DELETE /api/v1.1/accounts/avatar
        POST /api/v1/media
        POST /api/v2/media
        GET /api/v1/photos
        GET /api/v1/snap_samples
        GET /api/v1/notifications/unread_count
        POST /api/v1/notifications/clear
        GET /api/v1/markers
        POST /api/v1/markers
        GET /api/v1/custom_emojis
        GET /api/v1/instance/peers
        GET /api/v1/instance/rules
        GET /api/v1/announcements
        GET /api/v1/trends/statuses
        GET /api/v1/trends/links
        GET /api/v1/scheduled_statuses
        GET /settings/hashtags
        POST /tags/{name}/follow
        POST /tags/{name}/unfollow
        POST /tags/{name}/feature
        POST /tags/{name}/unfeature
        GET /api/v1/tags/{name}
        POST /api/v1/tags/{name}/follow
        POST /api/v1/tags/{name}/unfollow
        POST /api/v1/tags/{name}/feature
        POST /api/v1/tags/{name}/unfeature
        GET /api/v1/followed_tags
        GET /api/v1/featured_tags
        POST /api/v1/featured_tags
        DELETE /api/v1/featured_tags/{id}
        GET /api/v1/featured_tags/suggestions
        POST /api/v1/statuses/{id}/reblog
        POST /api/v1/statuses/{id}/unreblog
        """

    /// Undoing a block needs no sight of the other. A guest link shows its post or photo to everyone who
    /// has it.
    static let open = """
        POST /accounts/{id}/unblock
        POST /api/v1/accounts/{id}/unblock
        GET /guest/{token}
        GET /guest/{token}/{photo}/{size}
        """

    /// Streams: what comes through them is tested by what comes through them.
    static let streams = """
        GET /api/v1/events
        GET /api/v1/streaming
        GET /api/v1/streaming/user
        GET /api/v1/streaming/user/notification
        GET /api/v1/streaming/public
        GET /api/v1/streaming/public/media
        GET /api/v1/streaming/public/local
        GET /api/v1/streaming/public/local/media
        GET /api/v1/streaming/public/remote
        GET /api/v1/streaming/public/remote/media
        GET /api/v1/streaming/hashtag
        GET /api/v1/streaming/hashtag/local
        GET /api/v1/streaming/list
        GET /api/v1/streaming/direct
        """

    /// Every table.
    static let all = [
        hidden, owned, silent, refused, ownPhotos, groups, shared, administration, sameForAll, open, streams,
    ]

    /// Things in ``hidden`` that are between people, or seen once: a stranger finds them no more than somebody who is
    /// blocked. Ana's account and her posts for everyone are there for all.
    static let closed: Set = [
        "asker", "collage", "message", "messageStatus", "notification", "notificationGroup", "onceView",
        "putAside", "snap", "snapView",
        "stake",
    ]

    /// The calls about statuses once more, about messages, which are statuses, too.
    static let aboutMessages =
        rows(hidden).filter { $0.thing == "post" && $0.path.hasPrefix("/api/v1/statuses/") }
        .map { Row(method: $0.method, path: $0.path, thing: "messageStatus") }
        + [Row(method: "PUT", path: "/api/v1/statuses/{id}", thing: "messageStatus")]

    /// A line of a table.
    struct Row: Sendable {
        var method: String
        var path: String
        /// The rest of the line.
        var thing: String

        /// What ends something comes behind what needs it.
        var order: Int {
            let ending = [
                "/shown", "/close", "/leave", "/dismiss", "/reject", "DELETE", "/delete", "/unfollow",
                "/remove",
                "/block",
                "/reports/{id}/suspend", "/suspend", "/restore",
            ]
            if method == "GET" { return -2 }
            // While there is a message to react to.
            if path.hasSuffix("/reaction") { return -1 }
            return ending.firstIndex { method == $0 || path.contains($0) } ?? -1
        }
    }

    static func rows(_ table: String) -> [Row] {
        table.split(separator: "\n").map { line in
            let words = line.split(separator: " ").map(String.init)
            return Row(method: words[0], path: words[1], thing: words.count > 2 ? words[2] : "")
        }
    }
}
