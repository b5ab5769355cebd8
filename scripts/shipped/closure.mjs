import { readFileSync } from 'node:fs'

const root = new URL('../../', import.meta.url)

const readLock = () => JSON.parse(readFileSync(new URL('package-lock.json', root), 'utf8')).packages

/** The place where Node.js resolves a dependency of the package at `from`: the nearest `node_modules` above it. */
const foundFrom = (packages, from, name) => {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
    const place = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`
    if (packages[place] !== undefined) return packages[place].link ? packages[place].resolved : place
    if (at === '') return undefined
  }
}

/** Copied into a package of this repository by the build, without its dependencies. */
const copied = new Map([['node_modules/swagger-ui-dist', 'packages/adapter-http-koa']])

/** The places of the dependencies of the package at a place, including peers unless they are optional. */
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

/** The places of the package at a place and of all its dependencies, direct and indirect. */
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

/** The name by which a package at a place is imported. */
export const nameAt = (place) => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)

/** Packages of this repository are not below `node_modules`. */
const isForeign = (place) => place.startsWith('node_modules/') || place.includes('/node_modules/')

/** A package for one platform is installed on that platform only. */
export const isForOneMachine = ({ os, cpu }) => os !== undefined || cpu !== undefined

/** The packages of the server, and the places of the third-party packages among them. */
export const shipped = (packages = readLock()) => {
  const all = [...closureOf(packages, 'packages/server')]
  return {
    packages,
    ours: all.filter((place) => !isForeign(place)),
    foreign: all.filter(isForeign).toSorted((a, b) => (a < b ? -1 : 1)),
    /** Each third-party package that a package of this repository depends on, with its dependents. */
    direct: () => {
      const askedBy = new Map()
      for (const place of all.filter((each) => !isForeign(each)))
        for (const found of broughtBy(packages, place).filter(isForeign))
          askedBy.set(found, [...(askedBy.get(found) ?? []), place.replace('packages/', '')])
      return askedBy
    },
  }
}
