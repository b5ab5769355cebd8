import { setTimeout } from 'node:timers/promises'
import type { ExecutionContext } from 'ava'

/** One line of metrics. */
export type Series = Readonly<{ name: string; labels: Readonly<Record<string, string>>; value: number }>

const labelsIn = (text = ''): Series['labels'] =>
  Object.fromEntries(
    [...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name = '', value = '']) => [name, value]),
  )

/** All series of a text in Prometheus' format. */
const seriesIn = (text: string): readonly Series[] =>
  text.split('\n').flatMap((line) => {
    const [, name, labels, value] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
    return name === undefined ? [] : [{ name, labels: labelsIn(labels), value: Number(value) }]
  })

const readAt = new Map<string, number>()

/** A text is shared for a second, so a reader waits for the next one. */
const nextText = async (address: string): Promise<void> => {
  const age = performance.now() - (readAt.get(address) ?? -Infinity)
  if (age < 1100) await setTimeout(1100 - age)
}

/** Reads the present `/metrics` of a server. */
export const readMetrics = async (t: ExecutionContext, address: string): Promise<readonly Series[]> => {
  await nextText(address)
  const answer = await fetch(`${address}/metrics`)
  readAt.set(address, performance.now())
  t.is(answer.status, 200)
  t.is(answer.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8')
  return seriesIn(await answer.text())
}

/** The sum of the series of a name that have these labels. */
export const valueOf = (
  series: readonly Series[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number =>
  series
    .filter((each) => each.name === name)
    .filter((each) => Object.entries(labels).every(([label, value]) => each.labels[label] === value))
    .reduce((sum, { value }) => sum + value, 0)
