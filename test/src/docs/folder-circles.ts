import type { Import } from './imports.js'

/** Entries of one folder, files or folders, that import each other in a circle. */
export type Circle = Readonly<{ folder: string; entries: readonly string[] }>

type Arrows = Map<string, Set<string>>

/** Where two paths part: the folder that both lie in, and the entry of it through which each goes on. */
const parting = ({ from, to }: Import): readonly [folder: string, from: string, to: string] | undefined => {
  const left = from.split('/')
  const right = to.split('/')
  const at = left.findIndex((part, index) => part !== right[index])
  const [a, b] = [left[at], right[at]]
  if (a === undefined || b === undefined) return undefined
  return [left.slice(0, at).join('/'), a, b]
}

const reachableFrom = (arrows: Arrows, start: string): ReadonlySet<string> => {
  const reached = new Set<string>()
  const open = [start]
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    for (const next of arrows.get(entry) ?? []) {
      if (!reached.has(next)) open.push(next)
      reached.add(next)
    }
  }
  return reached
}

const circlesAmong = (arrows: Arrows): readonly (readonly string[])[] => {
  const reach = new Map([...arrows.keys()].map((entry) => [entry, reachableFrom(arrows, entry)]))
  const circles = [...reach]
    .filter(([entry, reached]) => reached.has(entry))
    .map(([entry, reached]) => [...reached].filter((other) => reach.get(other)?.has(entry)).toSorted())
  return [...new Map(circles.map((circle) => [circle.join(), circle])).values()]
}

/**
 * All circles of entries of one folder. An import between two files counts for the two entries of the innermost folder
 * that holds both, so files deep in two folders draw an arrow between these folders.
 */
export const circlesOf = (imports: readonly Import[]): readonly Circle[] => {
  const folders = new Map<string, Arrows>()
  for (const each of imports) {
    const parts = parting(each)
    if (parts === undefined) continue
    const [folder, from, to] = parts
    const arrows = folders.get(folder) ?? new Map<string, Set<string>>()
    folders.set(folder, arrows.set(from, (arrows.get(from) ?? new Set()).add(to)))
  }
  return [...folders].flatMap(([folder, arrows]) =>
    circlesAmong(arrows).map((entries) => ({ folder, entries })),
  )
}
