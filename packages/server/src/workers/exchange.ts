import type { StartFailureCode } from '../start-error.js'

/** The message of a worker when it has started, or tried to: its address, or the reason of its failure. */
export type Started =
  | Readonly<{ address: string }>
  | Readonly<{ failure: Readonly<{ code: StartFailureCode; message: string }> }>

/** The messages between two processes. */
type Message =
  | Readonly<{ question: string; id: number; about?: unknown }>
  | Readonly<{ answer: number; value?: unknown; failed?: true }>

/** A channel to another process: a worker as its parent has it, or a worker's own process. */
type Channel = Readonly<{
  /** Returns false, or throws, when nobody is at the other end any more. */
  send(message: Message): unknown
  onMessage(listener: (message: unknown) => void): void
}>

/** Answers a question of the other process; what it gives has to be JSON. */
export type Answers = Readonly<Record<string, (about: unknown) => Promise<unknown>>>

type Ask = (question: string, about?: unknown) => Promise<unknown>

type Asked = Readonly<{ resolve: (value: unknown) => void; reject: (cause: Error) => void }>

const isMessage = (message: unknown): message is Message =>
  typeof message === 'object' && message !== null && ('question' in message || 'answer' in message)

/**
 * Questions and answers between two processes. A question rejects when it cannot be answered there; it is never answered when
 * the other process ends before.
 */
export const exchange = (channel: Channel, answers: Answers): Ask => {
  const asked = new Map<number, Asked>()
  let last = 0
  const answer = async (id: number, question: string, about: unknown): Promise<void> => {
    try {
      channel.send({ answer: id, value: await answers[question]?.(about) })
    } catch {
      channel.send({ answer: id, failed: true })
    }
  }
  channel.onMessage((message) => {
    if (!isMessage(message)) return
    if ('question' in message) return void answer(message.id, message.question, message.about)
    const waiting = asked.get(message.answer)
    asked.delete(message.answer)
    if (message.failed === true) waiting?.reject(new Error('The other process could not answer'))
    else waiting?.resolve(message.value)
  })
  return (question, about) =>
    new Promise((resolve, reject) => {
      last += 1
      asked.set(last, { resolve, reject })
      channel.send({ question, id: last, about })
    })
}
