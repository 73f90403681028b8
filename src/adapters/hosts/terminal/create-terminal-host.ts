import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { DAEMON_PERIODS } from '../../../domain/limits/daemon-periods.ts'
import { failure, success } from '../../../domain/result.ts'
import type { HostId } from '../../../ports/session-host.ts'
import type { TerminalHost, TerminalViewer, ViewerRequest } from '../../../ports/terminal-host.ts'
import { findProgram } from '../../shared/find-program.ts'
import { parseHostId } from '../shared/host-id.ts'
import { readIfPresent } from '../shared/read-if-present.ts'
import { closeTerminal } from './close-terminal.ts'
import { inspectTerminal, watchTerminal } from './inspect-terminal.ts'
import { openTerminal, type StartTerminal } from './open-terminal.ts'
import { OwnedTerminal } from './owned-terminal.ts'
import { submitText } from './submit-text.ts'
import type { TerminalNeeds } from './terminal-needs.ts'
import { type TerminalFiles, terminalFiles } from './terminal-record.ts'
import { findTmux, type Tmux } from './tmux.ts'
import {
  captureTmux,
  connectTmux,
  endTmux,
  resizeTmux,
  startTmuxTerminal,
  TERMINAL_SCRIPT,
  typeIntoTmux,
} from './tmux-terminal.ts'

export type TerminalHostOptions = {
  readonly directory: string
  /** `pty` uses the daemon's own terminals even if tmux is installed. */
  readonly kind?: 'auto' | 'pty'
  /** Where to look for tmux. */
  readonly searchPath?: string
  /** How often a terminal looks whether its files are still there. */
  readonly lookMs?: number
}

const SYSTEM_PATH = '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin'
const LAST_GRACE_MS = 1_000

/** Runs terminals on this machine, each in its own tmux server or, without tmux, in a pty of this process. */
export async function createTerminalHost(
  needs: TerminalNeeds,
  options: TerminalHostOptions,
): Promise<TerminalHost> {
  const directory = resolve(options.directory)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const found = await findProgram('tmux', '/', options.searchPath ?? SYSTEM_PATH)
  const tmux = options.kind === 'pty' ? undefined : await findTmux(found)
  const owned = new Map<HostId, OwnedTerminal>()
  const viewers = new Set<TerminalViewer>()
  const filesOf = (hostId: HostId) => terminalFiles(join(directory, hostId))
  const inspect = (hostId: HostId) => inspectTerminal(needs, filesOf(hostId))
  const start = tmux === undefined ? startOwned(owned) : startInTmux(tmux)
  const kind = tmux === undefined ? 'pty' : 'tmux'
  const { lookMs = DAEMON_PERIODS.hostLookMs } = options

  const close = async (hostId: HostId, graceMs: number) => {
    await closeTerminal(needs, filesOf(hostId), graceMs)
    if (tmux !== undefined) await endTmux(tmux, filesOf(hostId).directory)
    owned.get(hostId)?.hangUp()
    owned.delete(hostId)
  }
  const attach = (hostId: HostId, request: ViewerRequest) => {
    const own = owned.get(hostId)
    if (own !== undefined) return own.connect(request)
    return tmux === undefined ? undefined : connectTmux(tmux, filesOf(hostId).directory, request)
  }

  const type = async (hostId: HostId, text: string, isPasted: boolean) => {
    if ((await inspect(hostId)).type !== 'running') return
    const own = owned.get(hostId)
    if (own !== undefined) return own.type(text, isPasted)
    if (tmux !== undefined) await typeIntoTmux(tmux, filesOf(hostId).directory, text, isPasted)
  }
  const screen: TerminalHost['screen'] = async (hostId) => {
    const files = filesOf(hostId)
    const isRunning = (await inspect(hostId)).type === 'running'
    const own = isRunning ? owned.get(hostId)?.screen() : await readIfPresent(files.screen)
    if (own !== undefined) return success(trimScreen(own))
    const text = isRunning && tmux !== undefined ? await captureTmux(tmux, files.directory) : undefined
    return text === undefined ? failure({ type: 'terminal-closed', hostId }) : success(trimScreen(text))
  }

  return {
    kind,
    open: (request) => openTerminal({ ...needs, kind, lookMs, start }, filesOf(request.hostId), request),
    inspect,
    write: (hostId, text) => type(hostId, text, false),
    submit: (hostId, text) => submitText({ screen, type }, hostId, text),
    async resize(hostId, size) {
      if ((await inspect(hostId)).type !== 'running') return
      const own = owned.get(hostId)
      if (own !== undefined) return own.resize(size)
      if (tmux !== undefined) await resizeTmux(tmux, filesOf(hostId).directory, size)
    },
    screen,
    async connect(hostId, request) {
      const closed = failure({ type: 'terminal-closed', hostId } as const)
      if ((await inspect(hostId)).type !== 'running') return closed
      const viewer = attach(hostId, request)
      return viewer === undefined ? closed : success(keepAmong(viewers, viewer))
    },
    watch: (hostId, onChange) => watchTerminal(filesOf(hostId), () => inspect(hostId), onChange),
    close,
    async remove(hostId) {
      const snapshot = await inspect(hostId)
      if (snapshot.type === 'running') throw new Error(`terminal ${hostId} is running and cannot be removed`)
      await rm(filesOf(hostId).directory, { recursive: true, force: true, maxRetries: 3 })
    },
    list: () => listTerminals(directory),
    async [Symbol.asyncDispose]() {
      for (const viewer of viewers) viewer[Symbol.dispose]()
      await Promise.all([...owned.keys()].map((hostId) => close(hostId, LAST_GRACE_MS)))
    },
  }
}

function startInTmux(tmux: Tmux): StartTerminal {
  return async (files, request, environment) => {
    const started = await startTmuxTerminal(tmux, files.directory, environment, request)
    return started.ok ? undefined : started.problem
  }
}

function startOwned(owned: Map<HostId, OwnedTerminal>): StartTerminal {
  return async (files: TerminalFiles, { hostId, columns, rows }, environment) => {
    if (owned.has(hostId)) return undefined
    const terminal = new OwnedTerminal({
      command: ['/bin/sh', TERMINAL_SCRIPT],
      cwd: files.directory,
      environment,
      columns,
      rows,
      onExit: () => {
        owned.delete(hostId)
        // The last screen is only for people to read, so a failure to save it doesn't matter.
        writeFile(files.screen, terminal.screen(), { mode: 0o600 }).catch(() => {})
      },
    })
    owned.set(hostId, terminal)
    return undefined
  }
}

/** Removes the empty lines below the output. */
function trimScreen(text: string): string {
  return text.replace(/\n+$/, '\n')
}

/** Adds the viewer to the set until it is disposed. */
function keepAmong(viewers: Set<TerminalViewer>, viewer: TerminalViewer): TerminalViewer {
  const kept: TerminalViewer = {
    ...viewer,
    [Symbol.dispose]: () => {
      viewers.delete(kept)
      viewer[Symbol.dispose]()
    },
  }
  viewers.add(kept)
  return kept
}

async function listTerminals(directory: string): Promise<readonly HostId[]> {
  const names = await readdir(directory)
  return names.map(parseHostId).filter((id) => id !== undefined)
}
