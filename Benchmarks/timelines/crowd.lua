-- Asks as a hundred people in turn, whose tokens stand in the file that is named behind `--`.
local requests = {}
local asked = 0
function init(arguments)
    for token in io.lines(arguments[1]) do
        requests[#requests + 1] = wrk.format("GET", nil, { Authorization = "Bearer " .. token })
    end
end
function request()
    asked = asked % #requests + 1
    return requests[asked]
end
