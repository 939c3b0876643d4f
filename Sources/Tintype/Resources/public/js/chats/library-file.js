import { ApiError } from "../web/api.js";

/**
 * A photo of one's library as a file.
 *
 * @param {string} id
 * @returns {Promise<File>}
 * @throws {ApiError} when it is gone or nothing can be reached
 */
export async function libraryFile(id) {
  const answer = await fetch(`/photos/${id}/large`).catch(() => null);
  if (!answer?.ok) throw new ApiError(answer?.status ?? 0, "This photo is no longer in your library.");
  return new File([await answer.blob()], "photo", { type: answer.headers.get("Content-Type") });
}
