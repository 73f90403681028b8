import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

/** Records which of the planted programs were run. */
export type Canary = {
  readonly names: () => readonly string[]
  readonly clear: () => void
  /** Makes a program that records `name` and copies its input to its output. */
  readonly program: (name: string) => string
}

const HOOKS = [
  'applypatch-msg',
  'commit-msg',
  'fsmonitor-watchman',
  'post-checkout',
  'post-commit',
  'post-index-change',
  'post-merge',
  'post-receive',
  'post-rewrite',
  'post-update',
  'pre-auto-gc',
  'pre-commit',
  'pre-push',
  'pre-receive',
  'prepare-commit-msg',
  'proc-receive',
  'reference-transaction',
  'update',
]

export function createCanary(directory: string): Canary {
  mkdirSync(directory, { recursive: true })
  const log = join(directory, 'log')
  return {
    names: () => (existsSync(log) ? [...new Set(readFileSync(log, 'utf8').trim().split('\n'))].sort() : []),
    clear: () => rmSync(log, { force: true }),
    program: (name) => {
      const path = join(directory, name)
      writeFileSync(path, `#!/bin/sh\necho ${name} >> '${log}'\ncat\n`)
      chmodSync(path, 0o755)
      return path
    },
  }
}

/** Plants the canary's programs everywhere in a git directory where git is known to run programs. */
export function plantPrograms(gitDirectory: string, canary: Canary): void {
  const included = join(gitDirectory, 'included')
  writeFileSync(included, settings({ 'core.askPass': canary.program('include-askpass') }))
  appendFileSync(
    join(gitDirectory, 'config'),
    settings({
      'core.fsmonitor': canary.program('fsmonitor'),
      'core.pager': canary.program('pager'),
      'core.editor': canary.program('editor'),
      'core.sshCommand': canary.program('ssh'),
      'core.gitProxy': canary.program('proxy'),
      'core.alternateRefsCommand': canary.program('alternate-refs'),
      'filter.x.clean': canary.program('clean'),
      'filter.x.smudge': canary.program('smudge'),
      'filter.x.required': 'true',
      'diff.external': canary.program('diff-external'),
      'diff.x.textconv': canary.program('textconv'),
      'diff.x.command': canary.program('diff-command'),
      'merge.x.driver': canary.program('merge-driver'),
      'merge.default': 'x',
      'uploadpack.packObjectsHook': canary.program('pack-objects'),
      'remote.origin.url': `ext::${canary.program('ext-url')}`,
      'remote.origin.uploadpack': canary.program('upload-pack'),
      'protocol.allow': 'always',
      'protocol.ext.allow': 'always',
      'credential.helper': canary.program('credential'),
      'gpg.program': canary.program('gpg'),
      'commit.gpgSign': 'false',
      'alias.read-tree': `!${canary.program('alias')}`,
      'alias.muster': `!${canary.program('alias')}`,
      'include.path': included,
    }),
  )
  mkdirSync(join(gitDirectory, 'hooks'), { recursive: true })
  for (const hook of HOOKS) {
    writeFileSync(
      join(gitDirectory, 'hooks', hook),
      `#!/bin/sh\nexec ${canary.program(`hook-${hook}`)} </dev/null\n`,
    )
    chmodSync(join(gitDirectory, 'hooks', hook), 0o755)
  }
  mkdirSync(join(gitDirectory, 'info'), { recursive: true })
  writeFileSync(join(gitDirectory, 'info', 'attributes'), '* filter=x diff=x merge=x\n')
}

/** Makes a repository fetch objects and rewrite URLs through planted programs. */
export function plantRedirections(gitDirectory: string, canary: Canary, hubsDirectory: string): void {
  appendFileSync(
    join(gitDirectory, 'config'),
    settings({
      'core.repositoryFormatVersion': '1',
      'extensions.partialClone': 'origin',
      'remote.origin.promisor': 'true',
      'remote.origin.partialCloneFilter': 'blob:none',
      [`url.ext::${canary.program('instead-of')} .insteadOf`]: hubsDirectory,
      [`remote.${hubsDirectory}.uploadpack`]: canary.program('remote-by-path'),
    }),
  )
}

function settings(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => {
      const first = name.indexOf('.')
      const last = name.lastIndexOf('.')
      const middle = first === last ? '' : ` "${name.slice(first + 1, last)}"`
      return `[${name.slice(0, first)}${middle}]\n\t${name.slice(last + 1)} = "${value}"\n`
    })
    .join('')
}
