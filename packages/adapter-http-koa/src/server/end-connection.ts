import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { TransportRefusal } from '@account-import/http-contract'
import { problemOf } from '@account-import/http-contract'
import type { LogEntry } from '../log-entry.js'
import { rawAnswer } from './raw-answer.js'
import { refusalEntry } from './refusal-entry.js'

/** A refusal that ends a connection without the application being asked. */
export type Ending = Readonly<{
  refusal: TransportRefusal
  requestId: string
  /** `unknown` where what came cannot be read. */
  method: string
}>

/** Connections that end as soon as the answer that is owed has gone out. */
const awaited = new WeakSet<Duplex>()

/**
 * Ends a connection with a refusal. `latest` is the latest answer on it that is still owed, or that was given
 * before its request had come whole. An answer that is owed to a whole request goes out first, and is the last one;
 * where nothing of an answer has gone out yet, the refusal is answered. It is logged unless the application knows the
 * request: that one is in the log as broken off, under the same id.
 */
export const endConnection = (
  socket: Duplex,
  latest: ServerResponse | undefined,
  ending: Ending,
  log: (entry: LogEntry) => void,
): void => {
  if (latest?.req.complete === true) {
    // Every piece of what cannot be read comes here.
    if (!awaited.has(socket)) latest.once('close', () => socket.destroy())
    awaited.add(socket)
  } else if (socket.writable && latest?.headersSent !== true) {
    const problem = problemOf(ending.refusal, ending.requestId)
    socket.end(rawAnswer(problem, ending.requestId), () => socket.destroy())
    if (latest === undefined) log(refusalEntry(ending, problem))
  } else socket.destroy()
}
