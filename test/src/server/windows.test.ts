import test from 'ava'

/** A module of the command line that takes the platform as a parameter. */
const moduleOf = async <Module>(name: string): Promise<Module> =>
  (await import(new URL(name, import.meta.resolve('@account-import/cli/kit')).href)) as Module

type Words = (text: string, platform?: NodeJS.Platform) => string
const { shellWord, shellLine } = await moduleOf<{ shellWord: Words; shellLine: Words }>('program-name.js')

test('a word of a command is quoted for the shells of the platform', (t) => {
  const words: readonly (readonly [text: string, posix: string, windows: string])[] = [
    ['accounts.ndjson', 'accounts.ndjson', 'accounts.ndjson'],
    ['Migration team', "'Migration team'", '"Migration team"'],
    ["Joan's", `'Joan'\\''s'`, `"Joan's"`],
    ['C:\\data\\a.csv', `'C:\\data\\a.csv'`, 'C:\\data\\a.csv'],
    ['C:\\my data\\', `'C:\\my data\\'`, '"C:\\my data\\\\"'],
    ['say "x"', `'say "x"'`, '"say \\"x\\""'],
    ['a,b', 'a,b', '"a,b"'],
    ['@a', '@a', '"@a"'],
    ['', "''", '""'],
  ]
  for (const [text, posix, windows] of words) {
    t.is(shellWord(text, 'linux'), posix)
    t.is(shellWord(text, 'darwin'), posix)
    t.is(shellWord(text, 'win32'), windows)
  }
})

test('an example has double quotes when the platform is Windows', (t) => {
  const line = "account-import import accounts.ndjson --team 'Migration team' --label pilot"
  t.is(shellLine(line, 'linux'), line)
  t.is(
    shellLine(line, 'win32'),
    'account-import import accounts.ndjson --team "Migration team" --label pilot',
  )
})

test('a message about a private file names no mode when the platform is Windows', async (t) => {
  const { privacyText } = await moduleOf<{ privacyText: (platform: NodeJS.Platform) => string }>(
    'private-file.js',
  )
  t.is(privacyText('linux'), 'readable for you alone, mode 600')
  t.is(privacyText('win32'), 'with the rights of its folder')
})

test('the path of a source may have backslashes and a drive', async (t) => {
  type Sources = readonly Readonly<{ file: string }>[]
  const { sourcesOf } = await moduleOf<{ sourcesOf: (sql: string) => Sources }>('convert/sources.js')
  const files = sourcesOf(
    [
      "-- source a = C:\\data\\a.csv; delimiter ';'; key n\r",
      `-- source b = "C:\\my data\\b;1.csv"; delimiter ';'; key n`,
      "-- source c = \\\\host\\share\\c.csv; delimiter ';'; key n",
    ].join('\n'),
  ).map(({ file }) => file)
  t.deepEqual(files, ['C:\\data\\a.csv', 'C:\\my data\\b;1.csv', '\\\\host\\share\\c.csv'])
})
