// One run of AVA, printed while it runs except for its end, and the results in its lines.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { stripVTControlCharacters } from 'node:util'
import { fileOf } from './files.mjs'

const ava = 'node_modules/ava/entrypoints/cli.mjs'

/** The closing lines of AVA about failures, such as "3 tests failed". */
const notPassed =
  /^ *(\d+) (?:tests? failed|hooks? failed|tests? skipped|tests? todo|known failures?|uncaught exceptions?|unhandled rejections?|tests? remained pending.*)$/

/** The lines of AVA about a fault in a file outside of its tests. */
const wrongInFile =
  /^ *(?:✘|Uncaught exception in|Unhandled rejection in|\d+ tests were pending in|Failed to exit when running)(?! \[).*? (\S+\.test\.[jt]s)/

/** The line of AVA between the titles and its end, which has each failure and the totals. */
const divider = /^ *[─-]$/

/**
 * Runs AVA with these arguments over these files, or over programs that contain them (bundles.mjs). Returns its exit code, the
 * file of each passed test, the files with a failure (undefined for a failure without a file), the number of failures, and the
 * lines of its end, which are not printed.
 */
export const runAva = (args, files, environment, programs = new Map()) =>
  new Promise((resolve, reject) => {
    const outcome = { passed: [], failedFiles: new Set(), notPassed: 0, ending: [] }
    const look = (line) => {
      const [, mark, title] = /^ *(✔|✘ \[[^\]]+\]:?) (.*)$/.exec(line) ?? []
      if (mark === '✔') outcome.passed.push(fileOf(title, files))
      else if (mark !== undefined) outcome.failedFiles.add(fileOf(title, files))
      const [, file] = wrongInFile.exec(line) ?? []
      if (file !== undefined) for (const each of programs.get(file) ?? [file]) outcome.failedFiles.add(each)
      outcome.notPassed += Number(notPassed.exec(line)?.[1] ?? 0)
    }
    const colours = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}
    const child = spawn(process.execPath, [ava, ...args], {
      stdio: ['inherit', 'pipe', 'inherit'],
      env: { ...process.env, ...colours, ...environment },
    })
    child.on('error', reject)
    createInterface({ input: child.stdout }).on('line', (line) => {
      const text = stripVTControlCharacters(line)
      if (outcome.ending.length > 0 || divider.test(text)) outcome.ending.push(line)
      else console.log(line)
      look(text)
    })
    child.on('close', (code) => resolve({ ...outcome, code: code ?? 1 }))
  })
