/** How long and how often a vendor is asked. Times are whole milliseconds. */
export type GuardLimits = Readonly<{
  /** One try, from the look-up of its name to the last byte; 2200 when absent. */
  tryMilliseconds: number
  /** All tries and the pauses between them; 4500 when absent. */
  callMilliseconds: number
  /** Most tries of one call; 3 when absent. */
  tries: number
  /** Most tries at one time; others queue as long as there is time for a whole try; 64 when absent. */
  concurrentTries: number
  /** Most calls of one organisation that queue; 256 when absent. */
  mostWaiting: number
  /** The first pause is at most about this long, later ones longer; 150 when absent. */
  pauseMilliseconds: number
  /** The breaker opens after so many tries in a row without connection or in time, or with a 5xx; 5 when absent. */
  breakAfter: number
  /** How long the open breaker lets nobody through; then one call may try. 10 000 when absent. */
  openMilliseconds: number
}>

export const defaultGuardLimits: GuardLimits = {
  tryMilliseconds: 2200,
  callMilliseconds: 4500,
  tries: 3,
  concurrentTries: 64,
  mostWaiting: 256,
  pauseMilliseconds: 150,
  breakAfter: 5,
  openMilliseconds: 10_000,
}
