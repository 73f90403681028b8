import { readFile } from 'node:fs/promises'
import { env } from 'node:process'
import { writeFileWhole } from '../../../shared/write-file-whole.ts'

export type GitEnvironment = Readonly<Record<string, string>>

const FALLBACK_PATH = '/usr/local/bin:/usr/bin:/bin'

/** Faults in names and dates that old clients wrote. They are harmless and don't keep a history from being imported. */
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
 * safe.directory must be in a file: the upload-pack that git starts in a repository with another owner doesn't see
 * command-line settings. Commit graphs and multi-pack indexes are caches that an agent could forge. The hub parses
 * index files itself, so their version is fixed here.
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

/** Returns the environment of every git process. The first call makes sure that the configuration file is in place. */
export function createGitEnvironment(gitConfigFile: string): () => Promise<GitEnvironment> {
  const environment = gitEnvironment(gitConfigFile)
  let isConfigured = false

  return async () => {
    if (!isConfigured) await writeGitConfigFile(gitConfigFile)
    isConfigured = true
    return environment
  }
}

/** The complete environment of a git process. PATH is the only variable that comes from the daemon. */
export function gitEnvironment(gitConfigFile: string): GitEnvironment {
  const { PATH = FALLBACK_PATH } = env
  return {
    PATH,
    HOME: '/nonexistent',
    LC_ALL: 'C',
    TZ: 'UTC',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: gitConfigFile,
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_LITERAL_PATHSPECS: '1',
    // Overrides protocol.*.allow in every configuration, including a repository's own.
    GIT_ALLOW_PROTOCOL: 'file',
  }
}

async function writeGitConfigFile(path: string): Promise<void> {
  // An unreadable file is replaced like an absent one; if that is impossible, the write reports the reason.
  const existing = await readFile(path, 'utf8').catch(() => undefined)
  if (existing === GIT_CONFIG) return
  await writeFileWhole(path, GIT_CONFIG)
}
