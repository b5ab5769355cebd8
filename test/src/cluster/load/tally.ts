/** What an answer says: it is done, nobody knows and it is to be asked again, or a refusal by its code. */
export type Answer = 'done' | 'again' | Readonly<{ refused: string }>

/** What is read of a client's result. */
type Answered = Readonly<{ ok: boolean; status: number; code?: string }>

/** What the clients of a load know together. */
export type Tally = Readonly<{
  counts: { requests: number; acknowledged: number; errors500: number }
  /** Answers that nobody should ever get. */
  faults: string[]
  /** Counts the answer of the server with this place, and says what it means. */
  note(place: number, what: string, result: Answered): Answer
  /** Resolves when each of so many servers has acknowledged a request from now on; rejects after the time. */
  allAnswer(places: number, mostMilliseconds: number): Promise<void>
  /** The longest time in which no request of any client was acknowledged. */
  longestSilence(): number
}>

const cutOff: ReadonlySet<string | undefined> = new Set(['network', 'answer_cut'])

/** What says nothing of the request: it was cut off, the database is away, or others are at it. */
export const saysNothing = ({ status, code }: Answered): boolean =>
  cutOff.has(code) || status === 503 || status === 429

export const makeTally = (): Tally => {
  const counts = { requests: 0, acknowledged: 0, errors500: 0 }
  const faults: string[] = []
  let listeners: ((place: number) => void)[] = []
  let latest = performance.now()
  let silence = 0
  const acknowledged = (place: number): void => {
    const now = performance.now()
    counts.acknowledged += 1
    silence = Math.max(silence, now - latest)
    latest = now
    for (const listener of listeners) listener(place)
  }
  return {
    counts,
    faults,
    note(place, what, result) {
      counts.requests += 1
      if (result.ok) {
        acknowledged(place)
        return 'done'
      }
      if (saysNothing(result)) return 'again'
      if (result.status < 500) return { refused: String(result.code) }
      counts.errors500 += 1
      faults.push(`${what}: ${result.status} ${result.code}`)
      return 'again'
    },
    allAnswer: (places, mostMilliseconds) =>
      new Promise((resolve, reject) => {
        const silent = new Set(Array.from({ length: places }, (_, place) => place))
        const late = setTimeout(() => {
          listeners = []
          reject(new Error(`${silent.size} servers acknowledged nothing for ${mostMilliseconds} ms`))
        }, mostMilliseconds)
        listeners.push((place) => {
          silent.delete(place)
          if (silent.size > 0) return
          listeners = []
          clearTimeout(late)
          resolve()
        })
      }),
    longestSilence: () => silence,
  }
}
