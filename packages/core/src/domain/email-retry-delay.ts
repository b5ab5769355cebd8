const longestSeconds = 4 * 60 * 60

/** FNV-1a over the text, as a fraction from 0 up to 1. */
const fractionOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash >>> 0) / 2 ** 32
}

/**
 * Seconds until an e-mail is tried again after `attempts` failures (1 or more). The delay doubles with each failure up
 * to four hours; then the id picks a time between half of it and all of it, so that e-mails that failed together are
 * not all tried at the same moment.
 */
export const emailRetryDelay = (id: string, attempts: number, firstSeconds: number): number => {
  const full = Math.min(firstSeconds * 2 ** Math.min(attempts - 1, 30), longestSeconds)
  return full * (0.5 + fractionOf(`${id}/${attempts}`) / 2)
}
