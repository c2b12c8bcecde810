import * as THREE from "three";
import { element } from "../report/element";
import type { ReplayBlock } from "./decode";
import { boundsOf, markShapeless, typicalForce } from "./bounds";
import { Film, filmKind, pictureAddress, savePicture } from "./capture";
import { isPicture } from "./asked";
import { bodyColours, stageColours, StageColours } from "./colours";
import { Contact, ContactMarks, ContactName, findContact } from "./contacts";
import { bodyPanel, contactPanel, nameOfShape } from "./inspector";
import { Legend } from "./legend";
import { FrameView, Player } from "./player";
import { Planes } from "./planes";
import { positionOf } from "./pose";
import { BodyMeshes, manyBodies } from "./shapes";
import type { ReplaySource } from "./source";
import { Preset, Stage } from "./stage";
import { BodyTint } from "./tint";
import { ColourBy, Commands, handleKey, TimeBar, ViewBar } from "./toolbar";

// A run that still goes on, and what it can be told.
export interface LiveLink {
  isOver(): boolean;
  isRunning(): boolean;
  pause(): void;
  go(): void;
  step(count: number): void;
  speed(factor: number): void; // 0: as fast as it goes
}

const betweenBounds = 150; // ms
const roomAhead = 0.35; // of the size, where things leave what was thought of

type Choice = { kind: "body"; body: number } | { kind: "contact"; name: ContactName } | undefined;

// One replay with all that belongs to it. Throws where the browser has no WebGL.
export class ReplayFigure implements Commands {
  readonly root = element("figure", "replay");
  onTime: (time: number) => void = () => undefined;
  private readonly canvas = element("canvas", "replay-canvas");
  private readonly still = element("img", "replay-still"); // what is printed
  private readonly inspector = element("aside", "inspector");
  private readonly stage: Stage;
  private readonly player: Player;
  private readonly meshes: BodyMeshes;
  private readonly planes: Planes;
  private readonly marks: ContactMarks;
  private readonly legend: Legend;
  private readonly tint: BodyTint;
  private readonly timeBar: TimeBar;
  private readonly viewBar: ViewBar;
  private colours: StageColours;
  private shown: FrameView | undefined;
  private chosen: Choice;
  private followed = -1;
  private tinted = "";
  private showsContacts = true;
  private readonly hasContacts: boolean;
  private readonly listening = new AbortController();
  private film_: Film | undefined;
  private view_: Preset = "isometric";
  private viewIsOwn = false; // turned by hand, or following
  private isAtEdge = true; // of a run that goes on: its newest frame is shown
  private edge = -1; // that frame
  private bounded = 0; // when the bounds were last looked at
  private readonly caption = element("figcaption", "");

  private constructor(
    private readonly source: ReplaySource,
    ends: readonly ReplayBlock[],
    private isDark: boolean,
    private readonly live: LiveLink | undefined,
  ) {
    const { header } = source;
    const marker = markShapeless(header);
    const bounds = boundsOf(header, ends);
    marker.sizes = [0.012 * bounds.getSize(new THREE.Vector3()).length()];
    // room for what is to come
    if (live) bounds.expandByScalar(roomAhead * bounds.getSize(new THREE.Vector3()).length());
    this.colours = stageColours(isDark);
    // a single picture may take its time
    this.stage = new Stage(this.canvas, header.shapes.length > manyBodies && !isPicture);
    this.player = new Player(
      source,
      (view) => this.show(view),
      () => this.noteState(),
      (reason) => this.fail(`The replay cannot be read any further. ${reason}`),
    );
    this.meshes = new BodyMeshes(header);
    this.planes = new Planes(header);
    this.marks = new ContactMarks(this.stage, header, this.colours);
    this.tint = new BodyTint(header);
    this.legend = new Legend();
    this.timeBar = new TimeBar(this, live !== undefined);
    this.stage.scene.add(this.planes.group, this.meshes.group, this.marks.group);
    this.hasContacts = source.facts.hasContacts;
    this.viewBar = new ViewBar(this, header.body_names, this.hasContacts, filmKind() !== undefined);
    this.stage.setBounds(bounds);
    this.planes.layOut(this.stage.bounds, this.colours);
    this.marks.reference = typicalForce(ends);
    this.tint.take(ends);
    this.layOut();
    this.applyColours();
    const duration = this.player.timeOf(this.player.count - 1) - this.player.timeOf(0);
    const speed = live || (duration >= 1.5 && duration <= 40) ? 1 : TimeBar.nearestSpeed(duration / 8);
    this.player.setSpeed(speed);
    this.timeBar.setSpeed(speed);
  }

  // Unpacks the first and the last block, which tell how far things go.
  static async open(source: ReplaySource, isDark: boolean, live?: LiveLink): Promise<ReplayFigure> {
    const numbers = [...new Set([0, source.blocks.length - 1])];
    return new ReplayFigure(source, await Promise.all(numbers.map((number) => source.load(number))), isDark, live);
  }

  // Shows the frame nearest to the time once it is unpacked.
  async showAt(time: number): Promise<void> {
    await this.player.loadAt(this.player.frameAt(time));
    this.seekTime(Math.min(time, this.player.timeOf(this.player.count - 1)));
    this.stage.drawNow();
  }

  // The source has more frames, or the run is in another state.
  grow(): void {
    const last = this.player.count - 1;
    if (last !== this.edge) {
      this.edge = last;
      if (this.isAtEdge && !this.player.playing) this.player.seek(last);
      else if (this.shown) this.showTime(this.shown);
    }
    // a run that pauses is not drawn again: what is outside must come in now
    if (this.shown && !this.live?.isRunning()) {
      this.bounded = 0;
      this.widen(this.shown);
    }
    this.noteState();
  }

  // Once it is in the page, because its size counts.
  start(time: number | undefined): void {
    new ResizeObserver(() => this.resize()).observe(this.canvas);
    this.resize();
    // a pour begins with nothing to be seen, so it is shown at its end
    const late = this.source.header.body_releases.filter((release) => release > this.player.timeOf(0)).length;
    const begin = 2 * late > this.source.header.body_names.length ? this.player.count - 1 : 0;
    this.player.seek(time === undefined ? begin : this.player.frameAt(time));
  }

  setTheme(isDark: boolean, printing: boolean): void {
    this.isDark = isDark;
    this.applyColours();
    if (this.shown) this.show(this.shown);
    this.stage.drawNow();
    if (printing) this.still.src = pictureAddress(this.canvas, () => this.stage.drawNow());
  }

  get time(): number {
    return this.player.time;
  }

  seekTime(time: number): void {
    this.player.pause();
    this.player.seekTime(time);
    this.isAtEdge = this.player.frame >= this.player.count - 1;
  }

  close(): void {
    this.player.pause();
    this.film_?.stop();
    this.meshes.dispose();
    this.planes.dispose();
    this.marks.dispose();
    this.listening.abort();
    this.stage.dispose();
    this.root.remove();
  }

  // commands

  toggle(): void {
    if (this.live && !this.live.isOver()) {
      if (this.live.isRunning()) return this.live.pause();
      this.live.go();
      this.end();
      return;
    }
    if (this.player.playing) this.player.pause();
    else this.player.play();
  }
  step(frames: number): void {
    if (this.live && !this.live.isOver() && frames > 0 && this.player.frame >= this.player.count - 1) {
      this.isAtEdge = true;
      this.live.step(frames);
      return;
    }
    this.player.pause();
    this.seekTo(this.player.frame + frames);
  }
  seek(frame: number): void {
    this.player.pause();
    this.seekTo(frame);
  }
  end(): void {
    this.seek(this.player.count - 1);
  }
  speed(factor: number): void {
    this.player.setSpeed(factor > 0 ? factor : 1);
    this.live?.speed(factor);
  }
  look(preset: Preset): void {
    this.view_ = preset;
    this.viewIsOwn = false;
    this.follow(-1);
    this.stage.look(preset);
    this.root.dataset.view = preset;
  }
  fit(): void {
    this.follow(-1);
    this.viewIsOwn = false;
    this.stage.fit();
  }
  follow(body: number): void {
    this.followed = body;
    if (body >= 0) this.viewIsOwn = true;
    this.viewBar.setFollowed(body, this.source.header.body_names[body] ?? "");
    this.root.dataset.followed = String(body);
    if (body < 0 || !this.shown) return;
    this.stage.startFollowing(new THREE.Vector3(...positionOf(this.shown, body)));
    this.stage.redraw();
  }
  colour(by: ColourBy): void {
    this.tint.by = by;
    this.refresh();
  }
  contacts(shown: boolean): void {
    this.showsContacts = shown;
    if (!shown && this.chosen?.kind === "contact") this.chosen = undefined;
    this.refresh();
  }
  arrows(scale: number): void {
    this.marks.scale = scale;
    this.drawMarks();
  }
  picture(): void {
    savePicture(this.canvas, () => this.stage.drawNow(), `${this.fileName()}.png`);
  }
  film(): void {
    const kind = filmKind();
    if (this.film_ || !kind) {
      this.film_?.stop();
      this.player.pause();
      return;
    }
    this.viewBar.setFilming(true);
    // A recorder may need seconds before it takes anything, and does not begin without pictures: what is shown is drawn
    // again until then, and only then played.
    let isWaiting = true;
    const start = () => {
      isWaiting = false;
      if (!this.live || this.live.isOver()) this.player.play();
    };
    const end = () => {
      isWaiting = false;
      this.film_ = undefined;
      this.viewBar.setFilming(false);
    };
    this.film_ = new Film(this.canvas, kind, this.fileName(), start, end);
    const draw = () => {
      if (!isWaiting) return;
      this.stage.redraw();
      requestAnimationFrame(draw);
    };
    draw();
  }

  // the rest is how it works

  private seekTo(frame: number): void {
    this.isAtEdge = frame >= this.player.count - 1;
    this.player.seek(frame);
  }

  // Of a run that goes on nobody knows how far things will go.
  private widen(view: FrameView): void {
    const now = performance.now();
    if (!this.live || now - this.bounded < betweenBounds) return;
    this.bounded = now;
    const bodies = this.source.header.body_names.length;
    const { block, index } = view;
    const poses = block.poses.slice(index * bodies * 7, (index + 1) * bodies * 7);
    const present = boundsOf(this.source.header, [{ ...block, count: 1, times: block.times.slice(index, index + 1), poses }]);
    const { bounds } = this.stage;
    if (bounds.containsBox(present)) return;
    const room = roomAhead * bounds.getSize(new THREE.Vector3()).length();
    const wider = bounds.clone();
    for (const axis of ["x", "y", "z"] as const) {
      if (present.min[axis] < bounds.min[axis]) wider.min[axis] = present.min[axis] - room;
      if (present.max[axis] > bounds.max[axis]) wider.max[axis] = present.max[axis] + room;
    }
    this.stage.setBounds(wider);
    this.planes.layOut(this.stage.bounds, this.colours);
    this.caption.replaceChildren(...this.notes());
    if (!this.viewIsOwn) this.stage.look(this.view_);
  }

  private fileName(): string {
    return `${this.source.header.scene || "replay"}-${this.player.time.toFixed(3)}s`;
  }

  private layOut(): void {
    this.inspector.hidden = true;
    this.inspector.setAttribute("aria-live", "off");
    this.still.alt = "The replay as a still picture";
    this.canvas.tabIndex = -1;
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", "Replay in 3D. Space plays and pauses, arrow keys step, 1 to 4 choose the view.");
    const stage = element("div", "replay-stage", this.canvas, this.still, this.legend.root, this.inspector);
    this.root.append(this.viewBar.root, stage, this.timeBar.root, this.caption);
    this.caption.replaceChildren(...this.notes());
    this.root.tabIndex = 0;
    this.root.addEventListener("keydown", (event) => this.onKey(event));
    const whileInSight = (event: KeyboardEvent) => {
      // with nothing else in focus the keys are the replay's, while it is in sight
      if (event.target === document.body && this.isInSight()) this.onKey(event);
    };
    document.addEventListener("keydown", whileInSight, { signal: this.listening.signal });
    let start: [number, number] | undefined;
    this.canvas.addEventListener("pointerdown", (event) => {
      start = [event.clientX, event.clientY];
      this.root.focus({ preventScroll: true });
    });
    this.canvas.addEventListener("pointerup", (event) => {
      const moved = start ? Math.hypot(event.clientX - start[0], event.clientY - start[1]) : Infinity;
      start = undefined;
      if (moved < 5 && event.button === 0) this.pick(event.clientX, event.clientY, event.pointerType === "touch" ? 26 : 14);
      else this.viewIsOwn = true;
    });
    this.root.addEventListener("focusin", () => (this.stage.controls.enableZoom = true));
    this.root.addEventListener("focusout", () => (this.stage.controls.enableZoom = false));
    const lost = () => this.fail("The browser gave up drawing the replay; reload the page to see it again.");
    this.canvas.addEventListener("webglcontextlost", lost, { signal: this.listening.signal });
    this.stage.onView = () => this.drawMarks();
  }

  private notes(): HTMLElement[] {
    const { stride, lacksContacts } = this.source.facts;
    const sentences = ["Turn with the mouse, zoom with the wheel after a click, move with the right button. Click a body or a contact to look into it."];
    if (stride > 1) sentences.push(`Every ${stride}${stride === 2 ? "nd" : stride === 3 ? "rd" : "th"} sample of the run is shown, and its last.`);
    if (lacksContacts) sentences.push("The contacts of this run were not recorded (output.contacts).");
    if (this.planes.any) sentences.push(`Grid: ${Number(this.planes.spacing.toPrecision(3))} m.`);
    return [element("p", "", sentences.join(" "))];
  }

  private isInSight(): boolean {
    const box = this.canvas.getBoundingClientRect();
    return box.bottom > 0 && box.top < window.innerHeight;
  }

  private onKey(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    // buttons and lists have keys of their own; on the slider the replay's do the same and more
    const isSlider = target.classList.contains("replay-slider");
    if (!isSlider && (target.closest("select, input") || (event.key === " " && target.closest("button")))) return;
    if (event.key === "Escape") this.choose(undefined);
    else if (!handleKey(event, this)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  private resize(): void {
    this.stage.resize();
    // until it is turned by hand the scene fills the picture whatever its size
    if (!this.viewIsOwn) this.stage.look(this.view_);
  }

  private show(view: FrameView): void {
    this.shown = view;
    // contacts that came later than the first block and went before the last
    if (this.marks.reference === 0) this.marks.reference = typicalForce([view.block]);
    if (this.live) {
      this.tint.take([view.block]);
      this.marks.reference += 0.05 * (typicalForce([view.block]) - this.marks.reference); // what presses changes slowly
    }
    this.widen(view);
    this.meshes.place(view);
    this.planes.place(view);
    if (this.followed >= 0) this.stage.followTo(new THREE.Vector3(...positionOf(view, this.followed)));
    this.refresh();
    this.showTime(view);
    Object.assign(this.root.dataset, { frame: String(view.frame), time: String(view.time), ready: "true" });
    this.onTime(view.time);
  }

  private showTime(view: FrameView): void {
    const { player } = this;
    this.timeBar.setFrame(view.frame, player.count, view.time, player.timeOf(player.count - 1), player.first, this.live && this.source.header.step);
  }

  // Colours, contacts and the inspector of the frame that is shown.
  private refresh(): void {
    const view = this.shown;
    if (!view) return;
    const [before, after] = this.neighbours(view);
    const chosenBody = this.chosen?.kind === "body" ? this.chosen.body : -1;
    // own colours change with the theme and the choice alone
    const tinted = `${this.tint.by} ${chosenBody} ${this.isDark}`;
    if (this.tint.by !== "body" || tinted !== this.tinted) {
      this.meshes.setColours(this.tint.colours(view, before, after, chosenBody, this.colours));
    }
    this.tinted = tinted;
    if (this.showsContacts) this.marks.show(view);
    else this.marks.hide();
    this.drawMarks();
    this.legend.update(this.hasContacts && this.showsContacts ? view : undefined, this.colours, this.tint);
    this.inspect(view, before, after);
    this.stage.redraw();
  }

  private neighbours(view: FrameView): [FrameView, FrameView] {
    return [this.player.view(view.frame - 1) ?? view, this.player.view(view.frame + 1) ?? view];
  }

  private chosenContact(): Contact | undefined {
    return this.chosen?.kind === "contact" && this.shown ? findContact(this.shown, this.source.header, this.chosen.name) : undefined;
  }

  private drawMarks(): void {
    this.marks.draw(this.chosenContact());
    this.stage.redraw();
  }

  private inspect(view: FrameView, before: FrameView, after: FrameView): void {
    const { header } = this.source;
    this.inspector.hidden = this.chosen === undefined;
    this.root.dataset.chosen = this.chosen?.kind ?? "";
    if (!this.chosen) return;
    const close = element("button", "inspector-close", "×");
    close.type = "button";
    close.setAttribute("aria-label", "Close");
    close.addEventListener("click", () => this.choose(undefined));
    if (this.chosen.kind === "body") {
      const { body } = this.chosen;
      const follow = element("button", "replay-button", this.followed === body ? "Stop following" : "Follow");
      follow.type = "button";
      follow.addEventListener("click", () => {
        this.follow(this.followed === body ? -1 : body);
        this.refresh();
      });
      const title = element("h4", "", header.body_names[body] ?? "");
      this.inspector.replaceChildren(close, title, ...bodyPanel(header, body, view, before, after), follow);
      return;
    }
    const { name } = this.chosen;
    const title = element("h4", "", `${nameOfShape(header, name.shapeA)} – ${nameOfShape(header, name.shapeB)}`);
    const contact = this.chosenContact();
    const content = contact
      ? contactPanel(contact, this.colours.states[contact.state - 1] ?? "#888888")
      : [element("p", "inspector-note", "Carries no load now.")];
    this.inspector.replaceChildren(close, title, ...content);
    this.root.dataset.cone = String(contact !== undefined && contact.friction > 0);
  }

  private choose(choice: Choice): void {
    this.chosen = choice;
    this.root.dataset.cone = "false";
    this.refresh();
  }

  private pick(clientX: number, clientY: number, reach: number): void {
    const box = this.canvas.getBoundingClientRect();
    const [x, y] = [clientX - box.left, clientY - box.top];
    const contact = this.showsContacts ? this.marks.pick(x, y, box.width, box.height, reach) : undefined;
    if (contact) {
      const { shapeA, shapeB, placeA, placeB } = contact;
      this.choose({ kind: "contact", name: { shapeA, shapeB, placeA, placeB } });
      return;
    }
    const ray = new THREE.Raycaster();
    ray.setFromCamera(new THREE.Vector2((2 * x) / box.width - 1, 1 - (2 * y) / box.height), this.stage.camera);
    const body = this.meshes.pick(ray);
    this.choose(body >= 0 ? { kind: "body", body } : undefined);
  }

  private applyColours(): void {
    this.colours = stageColours(this.isDark);
    this.stage.setColours(this.colours);
    this.planes.setColours(this.colours);
    this.meshes.setEdgeColour(this.colours.outline);
    this.marks.setColours(this.colours);
    this.tint.own = bodyColours(this.source.header.body_names, this.isDark, this.colours.still);
  }

  private noteState(): void {
    const isPlaying = this.player.playing || (this.live?.isRunning() ?? false);
    this.timeBar.setPlaying(isPlaying);
    this.root.dataset.playing = String(isPlaying);
    // a film ends with what it shows
    if (!isPlaying) this.film_?.stop();
  }

  private fail(sentence: string): void {
    this.player.pause();
    this.root.append(element("p", "replay-failure", sentence));
  }
}
