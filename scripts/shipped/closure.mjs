import { readFileSync } from 'node:fs'

const root = new URL('../../', import.meta.url)

const readLock = () => JSON.parse(readFileSync(new URL('package-lock.json', root), 'utf8')).packages

/** Where Node.js finds a package that one at `from` asks for: in the nearest `node_modules` above it. */
const foundFrom = (packages, from, name) => {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
    const place = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`
    if (packages[place] !== undefined) return packages[place].link ? packages[place].resolved : place
    if (at === '') return undefined
  }
}

/** Copied into a package of ours when that is built: it comes with it, and what it asks for does not. */
const copied = new Map([['node_modules/swagger-ui-dist', 'packages/adapter-http-koa']])

/** Where the packages are that come with the one at a place, its peers included unless they are optional. */
const broughtBy = (packages, place) => {
  if (copied.has(place)) return []
  const copies = [...copied.keys()].filter(
    (each) => copied.get(each) === place && packages[each] !== undefined,
  )
  const { dependencies = {}, optionalDependencies = {}, ...entry } = packages[place]
  const peers = Object.keys(entry.peerDependencies ?? {}).filter(
    (name) => entry.peerDependenciesMeta?.[name]?.optional !== true,
  )
  const asked = [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers].flatMap((name) => {
    const found = foundFrom(packages, place, name)
    if (found === undefined && optionalDependencies[name] === undefined)
      throw new Error(`the lockfile lacks ${name}, which ${place} asks for`)
    return found === undefined ? [] : [found]
  })
  return [...asked, ...copies]
}

/** The places of all packages that come with the one at a place, itself included. */
export const closureOf = (packages, start) => {
  const places = new Set()
  const visit = (place) => {
    if (places.has(place)) return
    places.add(place)
    broughtBy(packages, place).forEach(visit)
  }
  visit(start)
  return places
}

/** The name that a package at a place is asked for by. */
export const nameAt = (place) => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)

/** Ours are where they are written, not below `node_modules`. */
const isForeign = (place) => place.startsWith('node_modules/') || place.includes('/node_modules/')

/** A package for one kind of machine is installed on that one alone. */
export const isForOneMachine = ({ os, cpu }) => os !== undefined || cpu !== undefined

/** The server's packages, and those of others among them by their places. */
export const shipped = (packages = readLock()) => {
  const all = [...closureOf(packages, 'packages/server')]
  return {
    packages,
    ours: all.filter((place) => !isForeign(place)),
    foreign: all.filter(isForeign).toSorted((a, b) => (a < b ? -1 : 1)),
    /** Each package of others that one of ours asks for, and who asks. */
    direct: () => {
      const askedBy = new Map()
      for (const place of all.filter((each) => !isForeign(each)))
        for (const found of broughtBy(packages, place).filter(isForeign))
          askedBy.set(found, [...(askedBy.get(found) ?? []), place.replace('packages/', '')])
      return askedBy
    },
  }
}
