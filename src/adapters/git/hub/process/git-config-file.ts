import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Faults of old clients in names and dates. They harm nobody and must not keep a history out. */
const TOLERATED_FAULTS = [
  'badDate',
  'badDateOverflow',
  'badEmail',
  'badTimezone',
  'missingEmail',
  'missingNameBeforeEmail',
  'missingSpaceBeforeDate',
  'missingSpaceBeforeEmail',
  'multipleAuthors',
  'zeroPaddedDate',
  'zeroPaddedFilemode',
]

/*
 * safe.directory must stand in a file: the upload-pack that git starts in a repository of another owner does
 * not see command-line settings. Commit graphs and multi-pack indexes are caches that an agent could forge. Index files
 * are read without git, in the version named here.
 */
const GIT_CONFIG = `# Written by Muster. Changes are overwritten.
[safe]
	directory = *
[core]
	hooksPath = /dev/null
	fsmonitor = false
	attributesFile = /dev/null
	excludesFile = /dev/null
	autocrlf = false
	safecrlf = false
	protectHFS = true
	protectNTFS = true
	commitGraph = false
	multiPackIndex = false
	untrackedCache = false
[index]
	version = 2
[gc]
	auto = 0
[maintenance]
	auto = false
[protocol]
	allow = never
[protocol "file"]
	allow = always
[transfer]
	fsckObjects = true
[fetch]
	fsckObjects = true
	writeCommitGraph = false
	recurseSubmodules = false
[fetch "fsck"]
${TOLERATED_FAULTS.map((fault) => `\t${fault} = ignore\n`).join('')}[submodule]
	recurse = false
[pack]
	useBitmaps = false
[checkout]
	workers = 1
	thresholdForParallelism = 4000
[user]
	name = Muster
	email = muster@localhost
[commit]
	gpgSign = false
[tag]
	gpgSign = false
[init]
	defaultBranch = main
[advice]
	addEmbeddedRepo = false
	detachedHead = false
`

/** Leaves the file as it is when it already says what it must. */
export async function writeGitConfigFile(path: string): Promise<void> {
  if ((await readExisting(path)) === GIT_CONFIG) return

  await mkdir(dirname(path), { recursive: true })
  const temporary = `${path}.${randomUUID()}.tmp`
  await writeFile(temporary, GIT_CONFIG, { mode: 0o600 })
  await rename(temporary, path)
}

async function readExisting(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch {
    // Absent or unreadable alike: it is written anew, and that write reports what is really wrong.
    return undefined
  }
}
