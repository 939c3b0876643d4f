/** Milliseconds that the server has where something is kept: at first, and while it is known to be slow. */
const patience = { first: 4_000, slow: 400 };

/** For how many milliseconds a server that was too slow counts as slow. */
const memory = 30_000;

/** What gateways say in place of a server that doesn't answer. */
const outages = [502, 503, 504];

let slowUntil = 0;

/**
 * Asks the network, and takes what is kept where there is no network, or none that answers in time.
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

/** Waits for the last byte, which a network may lose on the way. */
async function received(answer) {
  await answer.clone().arrayBuffer();
  return answer;
}

function after(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
