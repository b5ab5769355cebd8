/**
 * Writes the digests of the images that `Dockerfile` and `compose.yaml` name, as Docker gets them from where each image comes from;
 * `--check` changes nothing and fails where one has none, so that no release is built on a tag that somebody can move.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

const files = { Dockerfile: /^(ARG \w+_IMAGE=)(\S+)$/gm, 'compose.yaml': /(\$\{\w+_IMAGE:-)([^}]+)(?=\})/g }

const isPinned = (image) => /@sha256:[0-9a-f]{64}$/.test(image)

/** The digest of the list of all platforms, where there is one: the same file builds on each of them. */
const digestOf = (image) => {
  const asked = ['buildx', 'imagetools', 'inspect', image, '--format', '{{.Manifest.Digest}}']
  const digest = execFileSync('docker', asked, { encoding: 'utf8' }).trim()
  if (!/^sha256:[0-9a-f]{64}$/.test(digest)) throw new Error(`Docker gave no digest of ${image}`)
  return digest
}

const imagesIn = (file) => [...readFileSync(file, 'utf8').matchAll(files[file])].map(([, , image]) => image)

const check = () => {
  const open = Object.keys(files).flatMap((file) =>
    imagesIn(file)
      .filter((image) => !isPinned(image))
      .map((image) => `${file}: ${image} has no digest`),
  )
  for (const line of open) console.error(line)
  if (open.length > 0) console.error('Write them, where Docker is: node scripts/pin-images.mjs')
  process.exitCode = open.length > 0 ? 1 : 0
}

/** All are asked for before anything is written. A digest that is there is asked for again: the tag may have moved on. */
const pin = () => {
  const written = Object.entries(files).map(([file, pattern]) => [
    file,
    readFileSync(file, 'utf8').replace(pattern, (_, before, image) => {
      const tag = image.replace(/@.*$/, '')
      return `${before}${tag}@${digestOf(tag)}`
    }),
  ])
  for (const [file, text] of written) writeFileSync(file, text)
}

if (process.argv.includes('--check')) check()
else pin()
