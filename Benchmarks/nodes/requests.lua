-- Sends the requests of a file in turn, over and over. A line is METHOD PATH TOKEN, and the JSON to send, if any. A token
-- that begins with "browser" is sent as a browser's cookie.
local lines, next_line = {}, 0

function init(arguments)
    for line in io.lines(arguments[1]) do
        local method, path, token, body = line:match("^(%S+) (%S+) (%S+) ?(.*)$")
        local headers = { ["Sec-Fetch-Site"] = "same-origin" }
        if token:sub(1, 7) == "browser" then
            headers["Cookie"] = "tintype_session=" .. token
        else
            headers["Authorization"] = "Bearer " .. token
        end
        if body ~= "" then headers["Content-Type"] = "application/json" end
        lines[#lines + 1] = wrk.format(method, path, headers, body)
    end
end

function request()
    next_line = next_line % #lines + 1
    return lines[next_line]
end
