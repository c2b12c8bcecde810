#pragma once

#include <string>

#include "slipstick/document/document_reader.h"
#include "slipstick/scene/scene.h"

// The parts of a scene file, each read into the scene after the parts it may refer to: materials, then bodies, groups,
// joints, constraints, forces, drives, output. `document` is the whole file. Values of the wrong kind and keys that are
// missing or do not go together become faults of the reader; which values fit is left to Validate. Each item of a list
// is kept, faulty or not, so that what refers to it by name yields no further faults.

namespace slipstick::internal {

void ReadMaterials(const Place& document, DocumentReader* reader, Scene* scene);
void ReadBodies(const Place& document, DocumentReader* reader, Scene* scene);  // and the world's shapes
void ReadNoContact(const Place& document, DocumentReader* reader, Scene* scene);
void ReadGroups(const Place& document, DocumentReader* reader, Scene* scene);  // adds to the bodies
void ReadJoints(const Place& document, DocumentReader* reader, Scene* scene);
void ReadConstraints(const Place& document, DocumentReader* reader, Scene* scene);
void ReadForces(const Place& document, DocumentReader* reader, Scene* scene);
void ReadDrives(const Place& document, DocumentReader* reader, Scene* scene);
void ReadMethods(const Place& document, DocumentReader* reader, Scene* scene);  // law, solver, stepper, certificate
void ReadMeasures(const Place& document, DocumentReader* reader, Scene* scene);
// Numbers that may be changed while the scene runs. With overrides, those are left out whose keys lead nowhere then.
void ReadParameters(const Place& document, bool has_overrides, DocumentReader* reader, Scene* scene);
void ReadOutput(const Place& document, DocumentReader* reader, Scene* scene);

// The name of the map `item`; "" where there is none or it is no text.
std::string ReadName(const Place& item);

// The key of item `index` of a list of the scene, as faults have it. Tells the reader where that item stands.
std::string KeyOf(const std::string& list, const std::string& name, std::size_t index, const Place& item,
                  DocumentReader* reader);

// A body but for its name; `key` is what faults call it.
SceneBody ReadBody(const Place& item, const std::string& key, DocumentReader* reader);
// Friction under load of a revolute or prismatic joint, in the tree or in a loop.
BearingFriction ReadBearing(const Place& place, JointType type, DocumentReader* reader);

// A whole number; one that no check lets pass where there is something else.
int ReadIndex(const Place& map, const std::string& key);

}  // namespace slipstick::internal
