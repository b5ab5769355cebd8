/**
 * A stalled server, or a network that drops everything, keeps connections open without a response. The limit is longer than any
 * wait for a lock. Changes of the schema have no limit.
 */
const mostMilliseconds = 10_000
const changesSchema = /^\s*(?:create|alter|drop|rename)\b/i

/** The code of the error of a statement that was not answered in time. */
export const notInTime = 'PROTOCOL_SEQUENCE_TIMEOUT'

const noAnswer = (): Error =>
  Object.assign(new Error('the server does not answer in time'), { code: notInTime })

/** The answer to a statement. Rejects without one after the limit: a late answer must not reach the next statement. */
export const inTime = <A>(sql: string, answer: Promise<A>): Promise<A> => {
  if (changesSchema.test(sql)) return answer
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(noAnswer()), mostMilliseconds)
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
