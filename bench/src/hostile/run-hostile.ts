import { hostileBodies, measureBody } from '@account-import/test/hostile'
import type { HostileCase } from './hostile-case.js'
import { hostileText } from './hostile-text.js'
import { postBody } from './post-body.js'
import { startWatchedServer, type WatchedServer } from './watched-server.js'

const measure = async (server: WatchedServer, rounds: number): Promise<readonly HostileCase[]> => {
  const cases: HostileCase[] = []
  for (const [name, make] of Object.entries(hostileBodies)) {
    const body = make()
    const posted = await postBody(server, body)
    cases.push({ name, ...measureBody(body, rounds), ...posted })
  }
  return cases
}

/** Validates each hostile body so many times, sends it to a server once, and prints what was found. */
export const runHostile = async (plan: Readonly<{ rounds: number; json: boolean }>): Promise<void> => {
  console.error(`hostile bodies: ${Object.keys(hostileBodies).length}`)
  const server = await startWatchedServer()
  try {
    const cases = await measure(server, plan.rounds)
    console.log(plan.json ? JSON.stringify({ hostile: cases }) : hostileText(cases))
  } finally {
    await server.stop()
  }
}
