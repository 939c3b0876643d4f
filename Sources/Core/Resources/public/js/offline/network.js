/** Milliseconds to wait for the server if something is kept: at first, and while the server is known to be slow. */
const patience = { first: 4_000, slow: 400 };

/** Milliseconds for which a server that was too slow counts as slow. */
const memory = 30_000;

/** The statuses with which gateways answer for a server that doesn't. */
const outages = [502, 503, 504];

let slowUntil = 0;

/**
 * Asks the network, and uses what is kept if the network fails or doesn't answer in time.
 *
 * @param {Promise<Response>} network its answer
 * @param {() => Promise<Response | null>} kept finds what is kept
 * @param {{isKept: boolean, isPage: boolean}} what whether there is something to find, since then an answer counts once
 *   it is whole; and whether it is a page, since a picture may take its time
 * @returns {Promise<Response>}
 * @throws {TypeError} when there is no network and nothing is kept
 */
export async function networkFirst(network, kept, { isKept, isPage }) {
  const whole = isKept ? network.then(received) : network;
  const isSlow = performance.now() < slowUntil;
  try {
    const answer = await Promise.race([whole, after(isSlow ? patience.slow : patience.first)]);
    if (answer) {
      if (isPage) slowUntil = 0;
      return outages.includes(answer.status) ? ((await kept()) ?? answer) : answer;
    }
    if (isPage) slowUntil = performance.now() + memory;
  } catch (error) {
    const found = await kept();
    if (found) return found;
    throw error;
  }
  return (await kept()) ?? network;
}

/** Waits for the whole answer, which a broken network may cut off. */
async function received(answer) {
  await answer.clone().arrayBuffer();
  return answer;
}

function after(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
