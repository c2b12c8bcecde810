// One sun, and a sky that is as bright as what comes back from the ground is warm.
export const light = {
  direction: [-0.45, -0.55, 1] as const, // towards the sun
  sun: 2.3,
  sky: 2.2,
  ground: "#c9c3ba",
};
