// The branches of the deciding folders of the core that the in-memory tests never take, from the coverage files of Node.js.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { Report } from 'c8'
import { decidingFolders } from '../in-memory-tests.mjs'

const core = 'packages/core'

/** The coverage of each source, by its path. */
const coverageOf = async (temporary) => {
  const report = new Report({
    tempDirectory: temporary,
    include: decidingFolders.map((folder) => `${core}/src/${folder}/**`),
    exclude: [],
    excludeAfterRemap: true,
    resolve: '',
    reporter: [],
  })
  const map = await report.getCoverageMapFromAllCoverageFiles()
  return new Map(map.files().map((file) => [relative('.', file), map.fileCoverageFor(file)]))
}

/** Sources with compiled code; files of types have none. */
const sourcesWithCode = (folder) =>
  readdirSync(join(core, 'dist', folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.js'))
    .filter(
      (file) =>
        !/^(export \{\};\n)?\/\/# sourceMapping/.test(readFileSync(join(core, 'dist', folder, file), 'utf8')),
    )
    .map((file) => `${core}/src/${folder}/${file.replace(/\.js$/, '.ts')}`)

/** The code of a range of a source. */
const codeIn = (lines, { start, end }) =>
  lines
    .slice(start.line - 1, end.line)
    .map((line, at, { length }) =>
      line.slice(at === 0 ? start.column : 0, at === length - 1 ? end.column : undefined),
    )
    .join('')

/** A range without code is the end of a generator behind its last `yield`: a caller that stops there never resumes it. */
const hasCode = (lines, range) => /[^\s}]/.test(codeIn(lines, range))

const untaken = (file, coverage) => {
  const lines = readFileSync(file, 'utf8').split('\n')
  return Object.entries(coverage.branchMap).flatMap(([id, { locations }]) =>
    locations
      .filter((range, index) => coverage.b[id][index] === 0 && hasCode(lines, range))
      .map(
        ({ start, end }) =>
          `${file}:${start.line}:${start.column + 1} to ${end.line}:${end.column + 1} is never taken`,
      ),
  )
}

/** Prints the taken and untaken branches of each folder; returns whether all branches of all files with code are taken. */
export const allBranchesTaken = async (temporary) => {
  const covered = await coverageOf(temporary)
  let all = true
  for (const folder of decidingFolders) {
    const sources = sourcesWithCode(folder)
    const faults = sources.flatMap((file) =>
      covered.has(file) ? untaken(file, covered.get(file)) : [`${file} is never loaded`],
    )
    const branches = sources.reduce(
      (sum, file) => sum + (covered.get(file)?.toSummary().branches.total ?? 0),
      0,
    )
    console.log(`${folder}: ${branches - faults.length} of ${branches} branches in ${sources.length} files`)
    for (const fault of faults) console.error(`  ${fault}`)
    if (faults.length > 0) all = false
  }
  return all
}
