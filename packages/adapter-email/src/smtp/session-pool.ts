import { closedBy } from './closed-by.js'
import type { SmtpSession } from './smtp-session.js'

/** Sessions that are open and not used now, for the next messages. */
export type SessionPool = Readonly<{
  /** An idle session that still answers, or a new one. */
  take(signal: AbortSignal): Promise<PooledSession>
  /** Gives a session back after a message went well. */
  giveBack(session: PooledSession): void
  /** Ends those that are idle. */
  close(): void
}>

export type PooledSession = Readonly<{ session: SmtpSession; messages: number }>

/** Servers end sessions that are idle for minutes, or that bring too many messages. */
const idleMilliseconds = 5000
const mostMessages = 100

export const createSessionPool = (open: (signal: AbortSignal) => Promise<SmtpSession>): SessionPool => {
  const idle = new Map<PooledSession, NodeJS.Timeout>()
  const end = (pooled: PooledSession): void => {
    clearTimeout(idle.get(pooled))
    idle.delete(pooled)
    pooled.session.quit()
  }
  const takeIdle = async (signal: AbortSignal): Promise<PooledSession | undefined> => {
    for (const [pooled, timer] of idle) {
      clearTimeout(timer)
      idle.delete(pooled)
      try {
        await closedBy(signal, pooled.session.close, pooled.session.reset)
        return pooled
      } catch {
        // The server has ended it meanwhile: the next one, or a new one, does.
        pooled.session.close()
      }
    }
    return undefined
  }
  return {
    take: async (signal) => (await takeIdle(signal)) ?? { session: await open(signal), messages: 0 },
    giveBack: ({ session, messages }) => {
      const pooled = { session, messages: messages + 1 }
      if (pooled.messages >= mostMessages) return session.quit()
      const timer = setTimeout(() => end(pooled), idleMilliseconds)
      timer.unref()
      idle.set(pooled, timer)
    },
    close: () => [...idle.keys()].forEach(end),
  }
}
