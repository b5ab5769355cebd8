import type { FailedAttempts } from '../ports/failed-attempts.js'
import { portCall } from '../ports/port-failure.js'
import { plusSeconds, type Instant } from '../values/instant.js'

const windowSeconds = 60
const mostSubjects = 100_000
/** More than any limit that is asked for, so that one subject cannot fill the memory. */
const mostTimes = 100

/** Counts in this process. Bounded: with very many subjects the ones that failed longest ago are forgotten. */
export const inMemoryFailedAttempts = (): FailedAttempts => {
  const bySubject = new Map<string, readonly Instant[]>()
  const call = portCall('failedAttempts')
  const recent = (subject: string, at: Instant): readonly Instant[] => {
    const since = plusSeconds(at, -windowSeconds)
    return (bySubject.get(subject) ?? []).filter((time) => time > since)
  }
  return {
    record: (subject, at) =>
      call('record', async () => {
        const times = [...recent(subject, at), at].slice(-mostTimes)
        bySubject.delete(subject)
        bySubject.set(subject, times)
        const [oldest] = bySubject.keys()
        if (bySubject.size > mostSubjects && oldest !== undefined) bySubject.delete(oldest)
        return times.length
      }),
    recent: (subject, at) => call('recent', async () => recent(subject, at).length),
  }
}
