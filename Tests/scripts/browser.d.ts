// What the scripts use beyond the description of a browser in Debian's TypeScript 4.8.

// The checker can't read selectors, so what they find may be any element.
interface ParentNode {
    querySelector(selectors: string): any;
    querySelectorAll(selectors: string): NodeListOf<any>;
}
interface Element {
    closest(selector: string): any;
    cloneNode(deep?: boolean): this;
}

/** The app's own elements that scripts make. */
interface HTMLElementTagNameMap {
    "collage-card": HTMLElement;
    "message-bubble": HTMLElement;
    "relative-time": HTMLElement;
    "shared-post": HTMLElement;
}

/** Pictures that are drawn off the page. */
interface OffscreenCanvasRenderingContext2D extends CanvasRenderingContext2D {}
declare class OffscreenCanvas extends HTMLCanvasElement {
    constructor(width: number, height: number);
    getContext(kind: "2d", options?: CanvasRenderingContext2DSettings): OffscreenCanvasRenderingContext2D;
    getContext(kind: string): any;
    transferToImageBitmap(): ImageBitmap;
    convertToBlob(options?: { type?: string; quality?: number }): Promise<Blob>;
}
interface CanvasPath {
    roundRect(x: number, y: number, width: number, height: number, radius: number): void;
}
interface HTMLDialogElement {
    oncancel: (event: Event) => void;
}

/** Events of newer browsers. */
interface ToggleEvent extends Event {
    readonly newState: "open" | "closed";
}
interface NewerEvents {
    submit: SubmitEvent & { readonly submitter: any };
    beforetoggle: ToggleEvent;
    toggle: ToggleEvent;
    pageswap: any;
    pagereveal: any;
}

/** Events of the service worker. */
interface ExtendableEvent extends Event {
    waitUntil(work: Promise<unknown>): void;
}
interface ExtendableMessageEvent extends ExtendableEvent {
    readonly data: any;
    readonly ports: readonly MessagePort[];
    readonly source: any;
}
interface FetchEvent extends ExtendableEvent {
    readonly clientId: string;
    readonly request: Request;
    respondWith(answer: Promise<Response>): void;
}
interface SyncEvent extends ExtendableEvent {
    readonly tag: string;
}
interface PushEvent extends ExtendableEvent {
    readonly data: PushMessageData | null;
}
interface PushMessageData {
    text(): string;
}
interface NotificationEvent extends ExtendableEvent {
    readonly notification: Notification;
}
interface PushSubscriptionChangeEvent extends ExtendableEvent {
    readonly newSubscription: PushSubscription | null;
}
interface WindowClient {
    readonly visibilityState: DocumentVisibilityState;
    postMessage(message: any, transfer: Transferable[]): void;
}
interface WorkerEvents {
    install: ExtendableEvent;
    activate: ExtendableEvent;
    fetch: FetchEvent;
    sync: SyncEvent;
    push: PushEvent;
    notificationclick: NotificationEvent;
    pushsubscriptionchange: PushSubscriptionChangeEvent;
}

/** Events of elements, the document and the window, all of which an element, the document or the window may hear. */
type KnownEvents =
    Omit<GlobalEventHandlersEventMap, keyof NewerEvents> & Omit<WindowEventHandlersEventMap, "message"> & NewerEvents;

/** The app's own events, with what happened in their `detail`. */
type AppEventName = `${string}-${string}` | `tintype:${string}` | "changed" | "gone" | "said" | "refused" |
    "found" | "failed";

/** An event as its listener sees it, who knows on which elements it listens. */
type Heard<E> = E & { readonly target: any };
type Listener<E> = (event: Heard<E>) => void;
type Listening = boolean | AddEventListenerOptions;

// Each of these interfaces declares the function itself, so each is extended.
interface EventTarget {
    addEventListener<Name extends keyof KnownEvents>(
        type: Name, listener: Listener<KnownEvents[Name]>, options?: Listening): void;
    addEventListener(type: AppEventName, listener: Listener<CustomEvent>, options?: Listening): void;
}
interface Document {
    addEventListener<Name extends keyof KnownEvents>(
        type: Name, listener: Listener<KnownEvents[Name]>, options?: Listening): void;
    addEventListener(type: AppEventName, listener: Listener<CustomEvent>, options?: Listening): void;
}
interface Element {
    addEventListener<Name extends keyof KnownEvents>(
        type: Name, listener: Listener<KnownEvents[Name]>, options?: Listening): void;
}
interface HTMLElement {
    addEventListener<Name extends keyof KnownEvents>(
        type: Name, listener: Listener<KnownEvents[Name]>, options?: Listening): void;
    addEventListener(type: AppEventName, listener: Listener<CustomEvent>, options?: Listening): void;
}
interface HTMLElement {
    removeEventListener<Name extends keyof KnownEvents>(type: Name, listener: Listener<KnownEvents[Name]>): void;
}
interface HTMLFormElement {
    addEventListener<Name extends keyof KnownEvents>(
        type: Name, listener: Listener<KnownEvents[Name]>, options?: Listening): void;
}
interface HTMLFieldSetElement {
    addEventListener<Name extends keyof KnownEvents>(
        type: Name, listener: Listener<KnownEvents[Name]>, options?: Listening): void;
}
interface HTMLInputElement {
    addEventListener<Name extends keyof KnownEvents>(
        type: Name, listener: Listener<KnownEvents[Name]>, options?: Listening): void;
}
declare function addEventListener<Name extends keyof KnownEvents>(
    type: Name, listener: Listener<KnownEvents[Name]>, options?: Listening): void;
declare function addEventListener<Name extends keyof WorkerEvents>(
    type: Name, listener: Listener<WorkerEvents[Name]>, options?: Listening): void;
declare function addEventListener(type: AppEventName, listener: Listener<CustomEvent>, options?: Listening): void;
declare function addEventListener(
    type: "message", listener: Listener<ExtendableMessageEvent>, options?: Listening): void;

// Newer parts of a browser.
interface Array<T> {
    findLast(matches: (value: T, index: number) => unknown): T | undefined;
    findLastIndex(matches: (value: T, index: number) => unknown): number;
}
interface Element {
    role: string | null;
    checkVisibility(options?: { visibilityProperty?: boolean, checkVisibilityCSS?: boolean }): boolean;
}
interface HTMLElement {
    showPopover(): void;
    hidePopover(): void;
    togglePopover(force?: boolean): boolean;
}
interface Performance {
    getEntriesByType(type: "navigation"): PerformanceNavigationTiming[];
}
interface Navigator {
    /** Whether an app on the Home Screen shows the page; only in Apple's browsers for phones and tablets. */
    readonly standalone?: boolean;
    setAppBadge?(count: number): Promise<void>;
    clearAppBadge?(): Promise<void>;
}
interface ServiceWorkerRegistration {
    sync?: { register(tag: string): Promise<void> };
}

/** The service worker's own surroundings. */
declare const registration: ServiceWorkerRegistration;
declare const clients: {
    claim(): Promise<void>;
    get(id: string): Promise<{ url: string } | undefined>;
    matchAll(options?: object): Promise<any[]>;
    openWindow(url: string): Promise<any>;
};
declare function skipWaiting(): Promise<void>;

// The description of a browser gives constructors types without names, which can't be extended. So what is newer than
// TypeScript 4.8 of AbortSignal (`any`, `timeout`) and URL (`canParse`) is declared for all constructors, where the checker
// looks with `strictBindCallApply`.
interface NewableFunction {
    any(signals: AbortSignal[]): AbortSignal;
    timeout(milliseconds: number): AbortSignal;
    canParse(url: string, base?: string): boolean;
}

/** What the server writes from what features declare (`FeatureScripts.swift`). */
declare module "*/features.js" {
  export const features: {
    elements: Record<string, string>;
    outbox: Record<string, string>;
    events: { name: string; isPassing: boolean }[];
    background: { path: string; isForEveryone: boolean }[];
  };
}
