// One run of AVA, shown as it goes but for its end, and what its lines say.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { stripVTControlCharacters } from 'node:util'
import { fileOf } from './files.mjs'

const ava = 'node_modules/ava/entrypoints/cli.mjs'

/** Its closing lines on what did not pass, such as "3 tests failed". */
const notPassed =
  /^ *(\d+) (?:tests? failed|hooks? failed|tests? skipped|tests? todo|known failures?|uncaught exceptions?|unhandled rejections?|tests? remained pending.*)$/

/** Its lines on what went wrong in a file, though in none of its tests. */
const wrongInFile =
  /^ *(?:✘|Uncaught exception in|Unhandled rejection in|\d+ tests were pending in|Failed to exit when running)(?! \[).*? (\S+\.test\.[jt]s)/

/** Its line between the titles and what it says in the end: of each failure, and how much there was. */
const divider = /^ *[─-]$/

/**
 * Runs AVA with these arguments, over these files, or over programs that hold them (bundles.mjs): its exit code, the file of each test that passed, the files in which something
 * failed (undefined for one that no line names), how much did not pass, and the lines of its end, which are not shown.
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
