import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseId } from '../../../domain/id.ts'
import { failure, success } from '../../../domain/result.ts'
import type { HostId } from '../../../ports/session-host.ts'
import type { TerminalHost, TerminalViewer, ViewerRequest } from '../../../ports/terminal-host.ts'
import { closeTerminal } from './close-terminal.ts'
import { connectTmux } from './connect-tmux.ts'
import { lookAtTerminal } from './look-at-terminal.ts'
import { openTerminal, type StartTerminal } from './open-terminal.ts'
import { OwnedTerminal } from './owned-terminal.ts'
import { readIfPresent } from './read-if-present.ts'
import { type TerminalFiles, terminalFiles } from './terminal-files.ts'
import type { TerminalNeeds } from './terminal-needs.ts'
import { findTmux, type Tmux } from './tmux.ts'
import {
  captureTmux,
  endTmux,
  resizeTmux,
  startTmuxTerminal,
  TERMINAL_SCRIPT,
  typeIntoTmux,
} from './tmux-terminal.ts'
import { watchTerminal } from './watch-terminal.ts'

export type TerminalHostOptions = {
  readonly directory: string
  /** `pty` makes terminals of the daemon's own also where there is a tmux. */
  readonly kind?: 'auto' | 'pty'
  /** Where tmux is looked for. */
  readonly searchPath?: string
}

const SYSTEM_PATH = '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin'
const HOST_LIFE = /\.[1-9]\d{0,5}$/
const LAST_GRACE_MS = 1_000

/** Terminals on this machine: each in a tmux of its own where there is one, else in a pty of this process. */
export async function createTerminalHost(
  needs: TerminalNeeds,
  options: TerminalHostOptions,
): Promise<TerminalHost> {
  const directory = resolve(options.directory)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const found = await needs.findProgram('tmux', '/', options.searchPath ?? SYSTEM_PATH)
  const tmux = options.kind === 'pty' ? undefined : await findTmux(found)
  const owned = new Map<HostId, OwnedTerminal>()
  const viewers = new Set<TerminalViewer>()
  const filesOf = (hostId: HostId) => terminalFiles(join(directory, hostId))
  const look = (hostId: HostId) => lookAtTerminal(needs, filesOf(hostId))
  const start = tmux === undefined ? startOwned(owned) : startInTmux(tmux)
  const kind = tmux === undefined ? 'pty' : 'tmux'

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

  return {
    kind,
    open: (request) => openTerminal({ ...needs, kind, start }, filesOf(request.hostId), request),
    look,
    async write(hostId, text) {
      if ((await look(hostId)).type !== 'running') return
      const own = owned.get(hostId)
      if (own !== undefined) return own.write(new TextEncoder().encode(text))
      if (tmux !== undefined) await typeIntoTmux(tmux, filesOf(hostId).directory, text)
    },
    async resize(hostId, size) {
      if ((await look(hostId)).type !== 'running') return
      const own = owned.get(hostId)
      if (own !== undefined) return own.resize(size)
      if (tmux !== undefined) await resizeTmux(tmux, filesOf(hostId).directory, size)
    },
    async screen(hostId) {
      const files = filesOf(hostId)
      const isRunning = (await look(hostId)).type === 'running'
      const own = isRunning ? owned.get(hostId)?.screen() : await readIfPresent(files.screen)
      if (own !== undefined) return success(trimScreen(own))
      const text = isRunning && tmux !== undefined ? await captureTmux(tmux, files.directory) : undefined
      return text === undefined ? failure({ type: 'terminal-closed', hostId }) : success(trimScreen(text))
    },
    async connect(hostId, request) {
      const closed = failure({ type: 'terminal-closed', hostId } as const)
      if ((await look(hostId)).type !== 'running') return closed
      const viewer = attach(hostId, request)
      return viewer === undefined ? closed : success(keepAmong(viewers, viewer))
    },
    watch: (hostId, onChange) => watchTerminal(filesOf(hostId), () => look(hostId), onChange),
    close,
    async remove(hostId) {
      const sight = await look(hostId)
      if (sight.type === 'running') throw new Error(`terminal ${hostId} is running and cannot be removed`)
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
        // Kept while it is told that it ended; a screen that cannot be kept is only missed by people.
        writeFile(files.screen, terminal.screen(), { mode: 0o600 }).catch(() => {})
      },
    })
    owned.set(hostId, terminal)
    return undefined
  }
}

/** Without the empty lines below what was shown. */
function trimScreen(text: string): string {
  return text.replace(/\n+$/, '\n')
}

/** The viewer, known until it is let go. */
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
  return names.filter((name) => parseId('session', name.replace(HOST_LIFE, '')) !== undefined) as HostId[]
}
