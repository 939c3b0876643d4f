-- Sends the requests of a file in turn, over and over. A line is METHOD PATH TOKEN, and the JSON to send, if any. A token
-- that begins with "browser" is sent as a browser's cookie. Each GET asks for a target of its own, so that no kept answer
-- can be given.
local lines, asked = {}, 0

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
        lines[#lines + 1] = { method, path .. (path:find("?", 1, true) and "&" or "?") .. "asked=", headers, body }
    end
end

function request()
    local line = lines[asked % #lines + 1]
    asked = asked + 1
    if line[1] == "GET" then return wrk.format("GET", line[2] .. asked, line[3]) end
    return wrk.format(line[1], line[2]:match("^(.*)[?&]asked=$"), line[3], line[4])
end
