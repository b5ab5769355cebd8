import { setTimeout } from 'node:timers/promises'
import type { Additions } from './additions.js'
import type { Processings } from './processings.js'
import type { Stagings } from './stagings.js'
import type { Caller, Work } from './work.js'

/** Clients at each server. */
const clientsEach = 4

/** The clients' requests, until they are stopped. */
export type Load = Readonly<{
  /** Resolves when no request is under way any more. */
  stop(): Promise<void>
}>

/** What clients ask for. */
export type Works = Readonly<{ stage: Stagings; process: Processings; add: Additions }>

/** Takes turns, as far as there is something to ask for. */
const turns = ({ stage, process, add }: Works): readonly Work[] => [
  stage.one,
  process.one,
  stage.one,
  process.one,
  add,
  stage.many,
  process.many,
  process.one,
  add,
]

/** Pauses a little before who was not answered asks again. */
const patience = (): Promise<void> => setTimeout(100 + Math.random() * 200)

export const startLoad = (callers: readonly Caller[], works: Works): Load => {
  let going = true
  const order = turns(works)
  const ask = async (caller: Caller, first: number): Promise<void> => {
    for (let turn = first; going; turn += 1) {
      const work = order[turn % order.length] as Work
      if (work.isReady() && !(await work.next(caller))) await patience()
    }
  }
  const clients = callers.flatMap((caller) =>
    Array.from({ length: clientsEach }, (_, index) => ask(caller, index)),
  )
  return {
    async stop() {
      going = false
      await Promise.all(clients)
    },
  }
}

const mostMilliseconds = 60_000

/** Asks again, each server for a part, for all that nobody knows of. Says what stayed unknown. */
export const settle = async (
  callers: readonly Caller[],
  works: readonly Work[],
): Promise<readonly string[]> => {
  const begun = performance.now()
  const left = (): number => works.reduce((sum, work) => sum + work.unclear(), 0)
  const ask = async (caller: Caller): Promise<void> => {
    while (left() > 0 && performance.now() - begun < mostMilliseconds)
      for (const work of works) if (work.unclear() > 0 && !(await work.next(caller))) await patience()
  }
  await Promise.all(callers.map(ask))
  return left() === 0 ? [] : [`${left()} requests are answered by nobody`]
}
